import { wholeNumber } from "../../base/text/format.ts";
import { cleanText } from "../../base/text/text.ts";
import type { LedgerGrouping } from "../../ledger/questions/usage.ts";
import type { SkippedRows } from "../../transcripts/scan/unit-scanner.ts";
import type { UsageReport, UsageSum } from "../../usage/aggregate.ts";
import { cacheCreation } from "../../usage/token-counts.ts";
import type { CliHost } from "../ports.ts";
import { styleFor } from "../style.ts";
import { formatTable, type Column } from "../table.ts";
import { describeTime } from "../describe-time.ts";
import type { UsageOutcome } from "./outcome.ts";

const titles: Readonly<Record<LedgerGrouping, string>> = {
  day: "Day",
  session: "Session",
  project: "Project",
  model: "Model",
  agent: "Agent",
  branch: "Branch",
  subagent: "Subagent",
  tool: "Tool",
  skill: "Skill",
  server: "MCP server",
};
/** The beginning of an id is enough to find a session by; folders and branches are known by both their ends. */
const fits: Readonly<Partial<Record<LedgerGrouping, Pick<Column, "fit" | "least">>>> = {
  session: { fit: "end", least: 9 },
  project: { fit: "middle", least: 24 },
  branch: { fit: "middle", least: 24 },
  tool: { fit: "middle", least: 16 },
  skill: { fit: "middle", least: 16 },
};
const ofModel: Column = { title: "Model", fit: "middle", least: 17 };
const figures: readonly Column[] = ["Input", "Output", "Cache write", "Cache read", "USD"].map((title) => ({
  title,
  isFigure: true,
}));

/** Prints usage for a person: a table on standard output, and notes about it on standard error. */
export function printUsage(outcome: UsageOutcome, host: CliHost): void {
  const { request, report } = outcome;
  const { env, stdout, stderr } = host;
  const hasModel = request.by !== "model";
  if (report.rows.length === 0) stdout.write(`${nothingFound(outcome)}\n`);
  else {
    const ofKey: Column = { title: titles[request.by], ...fits[request.by] };
    const columns = [ofKey, ...(hasModel ? [ofModel] : []), ...figures];
    const totals = ["Total", ...(hasModel ? [""] : []), ...cells(report.totals)];
    stdout.write(formatTable(columns, tableRows(report, hasModel), totals, styleFor({ env, stdout })));
  }
  for (const note of notes(outcome)) stderr.write(`${note}\n`);
  if (report.rows.length > 0 && report.totals.usd !== null)
    stdout.write("USD at list prices, not what you were charged.\n");
  if (outcome.source === "ledger") stdout.write(`${describeAge(outcome.asOf, host.now())}\n`);
}

function describeAge(asOf: number | null, now: number): string {
  if (asOf === null) return "From the ledger, which is still reading transcripts.";
  return `As of ${describeTime(asOf, now)}, from the ledger`;
}

/** Prints a group's key on the first of its lines only. */
function tableRows({ rows }: UsageReport, hasModel: boolean): string[][] {
  return rows.map((row, index) => {
    const isFirst = rows[index - 1]?.key !== row.key;
    const key = isFirst ? cleanText(row.key) : "";
    return [key, ...(hasModel ? [cleanText(row.model)] : []), ...cells(row)];
  });
}

function cells({ usage, usd, unpriced }: UsageSum): string[] {
  const counts = [usage.input, usage.output, cacheCreation(usage), usage.cacheRead];
  return [...counts.map(wholeNumber), money(usd, unpriced)];
}

function money(usd: number | null, unpriced: number): string {
  if (usd === null) return "unknown";
  const [whole = "", cents = ""] = usd.toFixed(2).split(".");
  return `${unpriced > 0 ? "≥ " : ""}${wholeNumber(Number(whole))}.${cents}`;
}

function nothingFound({ files, roots, request }: UsageOutcome): string {
  const { since, until, project, agent } = request;
  if (files === 0) return `No transcripts. Looked in: ${roots.map((root) => cleanText(root)).join(", ")}`;
  const limits = [
    agent === null ? "" : ` of ${agent}`,
    project === null ? "" : ` in ${cleanText(project)}`,
    since === null ? "" : ` since ${since}`,
    until === null ? "" : ` until ${until}`,
  ].join("");
  return `No responses${limits} in ${files === null ? "the ledger" : plural(files, "transcript")}.`;
}

function notes({ report, skipped, problems }: UsageOutcome): string[] {
  const { unpriced } = report.totals;
  const found = problems.map(({ path, reason }) => `Could not read ${cleanText(path)}: ${cleanText(reason)}`);
  if (unpriced > 0)
    found.push(`No known price for ${plural(unpriced, "response")}, of ${unpricedModels(report)}.`);
  if (report.undated > 0)
    found.push(`Left out ${plural(report.undated, "response")} without a readable time.`);
  const rows = describeSkipped(skipped);
  if (rows !== "") found.push(`Left out: ${rows}.`);
  return found;
}

function unpricedModels({ rows }: UsageReport): string {
  const models = new Set(rows.filter((row) => row.unpriced > 0).map(({ model }) => cleanText(model)));
  return [...models].sort().join(", ");
}

/** Leaves out answers the agent made up itself: they are no responses. */
function describeSkipped(skipped: SkippedRows | null): string {
  if (skipped === null) return "";
  const { malformed, unidentified, oversized } = skipped;
  return [
    malformed > 0 ? plural(malformed, "malformed row") : "",
    unidentified > 0 ? `${plural(unidentified, "response")} without an id` : "",
    oversized > 0 ? `${plural(oversized, "row")} over 64 MiB` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function plural(count: number, noun: string): string {
  return `${wholeNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}
