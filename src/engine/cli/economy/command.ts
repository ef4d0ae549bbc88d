import { t, translated } from "../../base/text/l10n.ts";
import { printedJson } from "../../base/text/printed-json.ts";
import * as z from "zod/mini";
import { economyReport, economyView } from "../../recurring/answers.ts";
import { economyReportOf } from "../../recurring/figures/report.ts";
import { economyViewOf } from "../../recurring/figures/figures-view.ts";
import { projectOf } from "../../recurring/agents/locate.ts";
import { folder, jsonOf, option } from "../args.ts";
import { command } from "../command.ts";
import { dayForms, parseDay } from "../day-argument.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import type { Asked, Done } from "../declaration.ts";
import { styleFor } from "../style.ts";
import { usageError } from "../usage-error.ts";
import { economyText } from "./print-economy.ts";

export const economyCommand = command({
  name: "economy",
  title:
    "what recurring agents cost, and whether their sessions, contexts and prompts are as cheap as they can be",
  words: "[--project DIR] [--since D]",
  options: {
    project: folder("only the agents of this project (default: all)"),
    since: option("D", "a day", `${dayForms} (default: 30d)`),
    json: jsonOf("economy"),
  },
  notes: `
Normalized input weighs each response's input, cache writes and cache reads by their price, in tokens of plain input; raw input is what the programs
printed. Figures come from the records of wakes: purser wake writes them. Sessions of people are counted from transcripts.
`,
  run,
});

/** Output of `purser economy --json`. Members may be added; any other change changes `schema`. */
export const economyJson = z.object({
  schema: z.literal(1),
  ...economyReport.shape,
  ordinary: economyView.shape.ordinary.check(z.describe("Sessions of people, by program.")),
});

async function run({ options: given }: Asked, host: CliHost): Promise<Done> {
  const day = parseDay(given.value("since") ?? "30d", host.now());
  if (day === undefined) return usageError("economy", t("--since needs {0}", translated(dayForms)), host);
  const since = new Date(`${day}T00:00:00`).getTime();
  const folder = given.value("project");
  const project = folder === undefined ? null : projectOf(folder);
  const read = await readLedger(host, (ledger) =>
    economyViewOf((name, query) => ledger.ask(name, query), { since, project }),
  );
  if (!read.ok) return read;
  const { report, ordinary } = read.value ?? { report: economyReportOf([], since), ordinary: [] };
  const text = given.has("json")
    ? `${printedJson({ schema: 1, ...report, ordinary } satisfies z.infer<typeof economyJson>, 2)}\n`
    : economyText({ report, ordinary }, styleFor(host));
  host.stdout.write(text);
  return 0;
}
