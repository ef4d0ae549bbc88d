import * as z from "zod/mini";
import { described } from "../../base/sentence-schema.ts";
import { economyReport, economyView } from "../../recurring/answers.ts";
import { economyViewOf, economyReportOf } from "../../recurring/agent-overview.ts";
import { projectOf } from "../../recurring/agents.ts";
import { answer } from "../answer.ts";
import { folder, jsonOf } from "../args.ts";
import { command } from "../command.ts";
import { dayForms, dayOption, startIn } from "../day-argument.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import type { Asked, Done } from "../declaration.ts";
import { styleFor } from "../style.ts";
import { economyText } from "./print-economy.ts";

export const economyCommand = command({
  name: "economy",
  title:
    "what recurring agents cost, and whether their sessions, contexts and prompts are as cheap as they can be",
  words: "[--project DIR] [--since D]",
  options: {
    project: folder("only the agents of this project (default: all)"),
    since: dayOption("D", `${dayForms} (default: 30d)`),
    json: jsonOf("economy"),
  },
  notes: `
Normalized input weighs each response's input, cache writes and cache reads by their price, in tokens of plain input; raw input is what the programs
printed. Figures come from the records of wakes: purser wake writes them. Sessions of people are counted from transcripts.
`,
  run,
});

export const economyJson = z.object({
  schema: z.literal(1),
  ...economyReport.shape,
  ordinary: described(economyView.shape.ordinary, "Sessions of people, by program."),
});

async function run({ options }: Asked, host: CliHost): Promise<Done> {
  const since = startIn(options, "30d", host.now());
  const folder = options.value("project");
  const project = folder === undefined ? null : projectOf(folder);
  const read = await readLedger(host, (ledger) =>
    economyViewOf((name, query) => ledger.ask(name, query), { since, project }),
  );
  if (!read.ok) return read;
  const { report, ordinary } = read.value ?? { report: economyReportOf([], since), ordinary: [] };
  return answer<z.infer<typeof economyJson>>(
    { schema: 1, ...report, ordinary },
    () => economyText({ report, ordinary }, styleFor(host)),
    { options, host },
  );
}
