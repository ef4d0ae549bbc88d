import { succeed } from "../../base/result.ts";
import { comparisonPower } from "../../compare/decision-chances.ts";
import { plannedComparison } from "../../compare/prepare.ts";

import { withBenchContext, type Comparing } from "../compare/act.ts";
import type { AskedChange } from "../compare/change.ts";
import { prepare } from "../compare/run.ts";
import type { Setup } from "../compare/setup.ts";
import { printPower } from "./print.ts";

/** `purser plan compare …`: what a comparison would decide. */
export async function planCompare(
  setup: Setup,
  { change, others }: AskedChange,
  comparing: Comparing & { readonly command: keyof typeof planned },
): Promise<number> {
  return await withBenchContext(setup, comparing, async (context) => {
    const prepared = await prepare(setup, { change, others }, context);
    if (!prepared.ok) return prepared;
    const made = await plannedComparison(prepared.value, context.ports);
    if (!made.ok) return made;
    const { suite, agent, driver, rounds, base } = setup;
    const weights = suite.tasks.flatMap((task) => (task.agent === agent.name ? [task.weight] : []));
    const changes = prepared.value.arms.pairs.length;
    const power = comparisonPower({ weights, rounds, changes }, made.value.plan.expected);
    const command = planned[comparing.command];
    const json = { schema: 1, command, agent: agent.name, model: base.model, driver: driver.name } as const;
    printPower({ ...json, rules: [], power }, comparing.options, comparing.host);
    return succeed({ exitCode: 0, isOpen: true });
  });
}

const planned = {
  "compare model": "plan compare model",
  "compare prompt": "plan compare prompt",
  "compare setting": "plan compare setting",
} as const;
