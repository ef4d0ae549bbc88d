import { describeUnknownWord } from "../args.ts";
import { comparisonWords } from "../compare/words.ts";
import type { Command } from "../ports.ts";
import { commandWithSubcommands, usageError } from "../subcommands.ts";
import { planCompare } from "./compare.ts";
import { planRules } from "./rules.ts";

const help = `purser plan: the chance that measuring decides something, by what it may spend; nothing is run

  purser plan rules AGENT                               the rules that purser select would measure, alone and together
  purser plan compare model AGENT --model M             the comparison that purser compare would make; with the same
  purser plan compare prompt AGENT --variant FILE       options, of which --runs limits its rounds; several
  purser plan compare setting AGENT --settings FILE

  --rule ID      this rule only (rules)
  --audits N     count N active rules to be measured again, all or none; 1 when nothing is told (rules)
  --driver D     claude, codex or replay; the first agent that is ready when nothing is told
  --model M      instead of the model that the agent's definition names
  --suite S      built-in or workspace; the workspace's own (.purser/golden) where it has one, when nothing is told
  --cwd DIR      the workspace's folder, or one in it
  --json         print JSON; its shape is in media/schemas/plan.schema.json
  --help         print this

The noise is that of your own runs of these tasks where some were run twice, else a documented default; it says which. A trial on real
work is planned from the agent's sessions of the last 28 days, and from how much the last 200 differ. Passes are taken in roughly: as often with a change as without it.
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
