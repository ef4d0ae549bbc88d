import type { OptionSpec } from "../args.ts";
import { command } from "../command.ts";
import { settingOptions } from "./compare-change.ts";
import { compareOptions } from "./setup.ts";
import { compareAll } from "./several.ts";
import { comparisonWords } from "./words.ts";

const [first, ...others] = Object.entries<OptionSpec>(settingOptions).map(
  ([name, { name: value = "", does = "" }]) => ({ words: `AGENT --${name} ${value}`.trimEnd(), does }),
);

export const compareCommand = command({
  name: "compare",
  title: "which of two configurations completes an agent's golden tasks with fewer tokens",
  options: compareOptions,
  subcommands: comparisonWords("compare", compareAll, {
    model: {
      words: "AGENT --model M [--baseline B]",
      does: "model M against B (default: the agent's own model)",
    },
    prompt: { words: "AGENT --variant FILE", does: "another text of the agent's file" },
    setting: {
      ...first,
      more: [...others, { words: "guard=on --agent AGENT", does: "the same, with the setting first" }],
    },
  }),
  notes: `
Give --model, --variant or a setting several times (up to 8) to compare them with the same unchanged runs, which takes fewer tokens than
one by one. Each is judged separately and stops as soon as its result is clear; the chance of any false claim is held at 5% on each side
for all of them together.

Everything else is the same on both sides. The plan and its price are shown before anything runs. Ctrl-C stops; the same command
continues where it stopped. Earlier measurements of the same comparison count too. The report is kept with the runs.

Exit codes: 0 better (cheaper, and shown to be as good; of several: at least one); 1 not better; 2 usage error; 3 undecided or failed;
130 interrupted.
`,
});
