import { describeUnknownWord } from "../args.ts";
import { comparisonWords } from "../compare/words.ts";
import type { Command } from "../cli-ports.ts";
import { commandWithSubcommands, usageError } from "../subcommands.ts";
import { planRules } from "./plan-rules.ts";
import { succeed } from "../../base/result.ts";
import { comparisonPower } from "../../compare/decision-chances.ts";
import { plannedComparison } from "../../compare/prepare.ts";
import { withBenchContext, type Comparing } from "../compare/act.ts";
import type { AskedChange } from "../compare/compare-change.ts";
import { prepare } from "../compare/run-compare.ts";
import type { Setup } from "../compare/setup.ts";
import { printPower } from "./print-plan.ts";

/** `purser plan compare …`: what a comparison would decide. */
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

const help = `purser plan: how likely a measurement is to decide, for different budgets; runs nothing

  purser plan rules AGENT                               the rules that purser select would measure, one by one and together
  purser plan compare model AGENT --model M             the comparison that purser compare would make; takes the same options,
  purser plan compare prompt AGENT --variant FILE       where --runs limits its rounds, also for several models, prompts or
  purser plan compare setting AGENT --settings FILE     settings

  --rule ID      for rules: only this rule
  --audits N     for rules: include N active rules to measure again, or all or none (default: 1)
  --driver D     claude, codex or replay (default: the first agent that is ready)
  --model M      model to plan for (default: the one in the agent's definition)
  --suite S      built-in or workspace (default: the workspace's .purser/golden if it has one)
  --cwd DIR      workspace folder, or a folder in it (default: the working folder)
  --json         print JSON (schema: media/schemas/plan.schema.json)
  --help         print this help

How much runs differ is taken from your own repeated runs of these tasks if there are any, else from a documented default; the output
says which. A trial on real work is planned from the agent's sessions of the last 28 days, and from how much its last 200 sessions differ.
Pass rates are assumed to be the same with and without the change.
`;

const compare = commandWithSubcommands("plan compare", help, comparisonWords("plan compare", planCompare));
const rules = commandWithSubcommands("plan", help, { rules: planRules });

export const planCommand: Command = {
  help,
  syntax: { ...rules.syntax, subcommands: { ...rules.syntax.subcommands, compare: compare.syntax } },
  run: async (argv, host) => {
    const [word = "--help", ...rest] = argv;
    if (word === "compare") return await compare.run(rest, host);
    if (word === "rules" || word.startsWith("-")) return await rules.run(argv, host);
    return usageError("plan", describeUnknownWord("subcommand", word, ["rules", "compare"]), host);
  },
};
