import { t, translated } from "../../base/text/l10n.ts";
import { printedJson } from "../../base/text/printed-json.ts";
import * as z from "zod/mini";
import { economyReport, economyView } from "../../recurring/answers.ts";
import { economyReportOf } from "../../recurring/figures/report.ts";
import { economyViewOf } from "../../recurring/figures/figures-view.ts";
import { projectOf } from "../../recurring/agents/locate.ts";
import { parseOptions } from "../args.ts";
import { dayForms, parseDay } from "../day-argument.ts";
import { printHelp } from "../help.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost, Command } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { usageError } from "../subcommands.ts";
import { economyText } from "./print-economy.ts";
import { said } from "../language/said.ts";

const help = `purser economy: what recurring agents cost, and whether their sessions, contexts and prompts are as cheap as they can be

  purser economy [--project DIR] [--since D]

  --project DIR  only the agents of this project (default: all)
  --since D      ${dayForms} (default: 30d)
  --json         print JSON (schema: media/schemas/economy.schema.json)
  --help         print this help

Normalized input weighs each response's input, cache writes and cache reads by their price, in tokens of plain input; raw input is what the programs
printed. Figures come from the records of wakes: purser wake writes them. Sessions of people are counted from transcripts.
`;

const specs = { project: { value: "a folder" }, since: { value: "a day" }, json: {}, help: {} };

export const economyCommand: Command = { help, syntax: { options: specs }, run };

/** Output of `purser economy --json`. Members may be added; any other change changes `schema`. */
export const economyJson = z.object({
  schema: z.literal(1),
  ...economyReport.shape,
  ordinary: economyView.shape.ordinary.check(z.describe("Sessions of people, by program.")),
});

async function run(argv: readonly string[], host: CliHost): Promise<number> {
  const options = parseOptions(argv, specs);
  if (!options.ok) return usageError("economy", options.detail, host);
  const { value: given } = options;
  if (given.has("help")) {
    printHelp(help, host);
    return 0;
  }
  const day = parseDay(given.value("since") ?? "30d", host.now());
  if (day === undefined) return usageError("economy", t("--since needs {0}", translated(dayForms)), host);
  const since = new Date(`${day}T00:00:00`).getTime();
  const folder = given.value("project");
  const project = folder === undefined ? null : projectOf(folder);
  const read = await readLedger(host, (ledger) =>
    economyViewOf((name, query) => ledger.ask(name, query), { since, project }),
  );
  if (!read.ok) {
    host.stderr.write(`purser economy: ${said(read.detail)}\n`);
    return 1;
  }
  const { report, ordinary } = read.value ?? { report: economyReportOf([], since), ordinary: [] };
  const text = given.has("json")
    ? `${printedJson({ schema: 1, ...report, ordinary } satisfies z.infer<typeof economyJson>, 2)}\n`
    : economyText({ report, ordinary }, styleFor(host));
  host.stdout.write(text);
  return 0;
}
