import { wholeNumber } from "../base/format.ts";
import { succeed } from "../base/result.ts";
import { cleanText, cutMiddle } from "../base/text.ts";
import type { ReportView } from "../service/rules-view.ts";
import { parseOptions } from "./args.ts";
import type { Command } from "./cli-host.ts";
import { askedWrongly } from "./command-words.ts";
import { withRules } from "./rules-access.ts";
import type { ReportJson } from "./rules-schema.ts";
import { styleFor, type Style } from "./style.ts";
import { alignColumns } from "./table.ts";

const help = `purser report: runs and rules of each agent, real work by project, and what was evicted lately

  purser report [--json]

  --json  print JSON; its shape is in media/schemas/report.schema.json
  --help  print this

Runs are completed ones of real work, the last 200 of each agent; golden tasks are not among them.
`;

export const reportCommand: Command = {
  help,
  run: async (argv, host) => {
    const options = parseOptions(argv, { json: {}, help: {} });
    if (!options.ok) return askedWrongly("report", options.detail, host);
    if (options.value.has("help")) {
      host.stdout.write(help);
      return 0;
    }
    return await withRules("report", host, async (rules) => {
      const read = await rules.report(host.signal);
      if (!read.ok) return read;
      const json: ReportJson = { schema: 1, report: read.value.report };
      const text = printReport(read.value.report, styleFor(host));
      host.stdout.write(options.value.has("json") ? `${JSON.stringify(json, null, 2)}\n` : text);
      return succeed(0);
    });
  },
};

/** Whatever names hold, each is one line's part: none of them can add a line. */
export function printReport({ agents, projects, evictions, receipts }: ReportView, style: Style): string {
  if (agents.length === 0) return "No agent has completed a run or has a rule yet.\n";
  const figure = (title: string) => ({ title, isFigure: true });
  const agentRows = agents.map((each) => [
    ...[cleanText(each.agent), wholeNumber(each.runs), numberOr(each.median), numberOr(each.p75)],
    ...[each.rules.active, each.rules.candidate + each.rules.measured, each.rules.approved].map(String),
    ...[wholeNumber(each.rent), wholeNumber(each.saving)],
  ]);
  const columns = [
    ...[
      { title: "Agent" },
      figure("Runs"),
      figure("Median"),
      figure("p75"),
      figure("Active"),
      figure("Waiting"),
    ],
    ...[figure("To measure"), figure("Rent"), figure("Saves")],
  ];
  const parts = [alignColumns(columns, agentRows, style)];
  if (projects.length > 0)
    parts.push(
      alignColumns(
        [{ title: "Project" }, figure("Runs"), figure("Processing tokens")],
        projects.map(({ project, runs, tokens }) => [
          ...[cutMiddle(cleanText(project), 60), wholeNumber(runs), wholeNumber(tokens)],
        ]),
        style,
      ),
    );
  if (evictions.length > 0)
    parts.push(
      `Evicted lately:\n${evictions.map(({ id, text, why }) => `  ${id}: ${cleanText(text)} (${cleanText(why)})\n`).join("")}`,
    );
  parts.push(`${wholeNumber(receipts)} receipts of measured rules\n`);
  return parts.join("\n");
}

function numberOr(value: number | null): string {
  return value === null ? "-" : wholeNumber(value);
}
