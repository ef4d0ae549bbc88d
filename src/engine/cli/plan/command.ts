import { jsonOf } from "../args.ts";
import { command } from "../command.ts";
import { selectOptions } from "../rules/select-setup.ts";
import { comparisonWords } from "../compare/words.ts";
import { planRules } from "./plan-rules.ts";
import { succeed } from "../../base/result.ts";
import { comparisonPower, plannedComparison } from "../../compare/run-compare.ts";
import { withBenchContext, type Comparing } from "../compare/act.ts";
import type { AskedChange } from "../compare/compare-change.ts";
import { prepare } from "../compare/run-compare.ts";
import type { Setup } from "../compare/setup.ts";
import { printPower } from "./print-plan.ts";

async function planCompare(
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

const { rule, audits, driver, model, suite, cwd } = selectOptions;

export const planCommand = command({
  name: "plan",
  title: "how likely a measurement is to decide, for different budgets; runs nothing",
  options: {
    rule: { ...rule, does: "for rules: only this rule" },
    audits: {
      ...audits,
      does: "for rules: include N active rules to measure again, or all or none (default: 1)",
    },
    driver: { ...driver, does: "claude, codex or replay (default: the first agent that is ready)" },
    model: { ...model, does: "model to plan for (default: the one in the agent's definition)" },
    suite,
    cwd,
    json: jsonOf("plan"),
  },
  subcommands: {
    rules: planRules,
    compare: {
      does: "what a comparison would decide",
      subcommands: comparisonWords("plan compare", planCompare, {
        model: { words: "AGENT --model M", does: "a comparison of models, as purser compare would make it" },
        prompt: { words: "AGENT --variant FILE", does: "a comparison of prompts" },
        setting: { words: "AGENT --settings FILE", does: "a comparison of settings" },
      }),
    },
  },
  notes: `
compare takes the options of purser compare. There, --runs limits the rounds, and several models, prompts or settings may be given.

How much runs differ is taken from your own repeated runs of these tasks if there are any, else from a documented default; the output
says which. A trial on real work is planned from the agent's sessions of the last 28 days, and from how much its last 200 sessions differ.
Pass rates are assumed to be the same with and without the change.
`,
});
