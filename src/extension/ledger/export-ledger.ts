import type { BreakdownPart, CalledPart, Overview, SessionPage } from "../../engine/ledger/ledger-answers.ts";
import type { OverviewMessage, SessionMessage } from "../../webview/ledger/ledger-protocol.ts";
import { csvField } from "../../engine/base/text.ts";

export type ExportFormat = "csv" | "json";

/** The panel's content as a file; undefined when it shows nothing. */
export function exportText(
  shown: OverviewMessage | SessionMessage,
  format: ExportFormat,
): string | undefined {
  if (shown.type === "session") {
    if (shown.page === null) return undefined;
    return format === "csv"
      ? sessionCsv(shown.page)
      : json({ asOf: shown.freshness.asOf, session: shown.page });
  }
  const { since, until, question, overview, freshness } = shown;
  const { project, program } = question;
  return format === "csv"
    ? overviewCsv(overview)
    : json({ asOf: freshness.asOf, filter: { since, until, project, program }, overview });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const usageNames = ["input", "output", "cache_creation_5m", "cache_creation_1h", "cache_read"];
const overviewNames = [
  "by",
  "day",
  "name",
  "responses",
  ...usageNames,
  "usd",
  "unpriced",
  "standard_tier",
  "calls",
  "errors",
  "input_chars",
  "result_chars",
];

/**
 * One table of all breakdowns, so that a single file has everything and can feed a pivot table. Rows with the same `by`
 * add up to the whole; rows with different ones must not be added.
 */
function overviewCsv(overview: Overview): string {
  const rows = (by: string, parts: readonly (BreakdownPart | CalledPart)[], day: string | null = null) =>
    parts.map((part): CsvValue[] => [
      by,
      day,
      part.key,
      part.responses,
      ...usageValues(part.usage),
      part.usd,
      part.unpriced,
      part.standardTier,
      ...("calls" in part
        ? [part.calls, part.errors, part.inputChars, part.resultChars]
        : [null, null, null, null]),
    ]);
  return csv(overviewNames, [
    ...overview.days.flatMap(({ day, models }) => rows("day_and_model", models, day)),
    ...rows("project", overview.projects),
    ...rows("model", overview.models),
    ...rows("agent", overview.programs),
    ...rows("branch", overview.branches),
    ...rows("subagent", overview.subagents),
    ...rows("tool", overview.tools),
    ...rows("skill", overview.skills),
    ...rows("mcp_server", overview.servers),
  ]);
}

/** One row per response. */
function sessionCsv({ turns }: SessionPage): string {
  const names = ["time", "message_id", "agent_id", "model", ...usageNames, "occupancy", "usd", "tools"];
  return csv(
    names,
    turns.map(({ at, messageId, agentId, model, usage, occupancy, usd, tools }) => [
      at === null ? null : new Date(at).toISOString(),
      messageId,
      agentId,
      model,
      ...usageValues(usage),
      occupancy,
      usd,
      tools.join(" "),
    ]),
  );
}

function usageValues(usage: Overview["totals"]["usage"]): number[] {
  const { input, output, cacheCreation5m, cacheCreation1h, cacheRead } = usage;
  return [input, output, cacheCreation5m, cacheCreation1h, cacheRead];
}

type CsvValue = string | number | null;

/** A table in RFC 4180 format. Unknown values are empty. */
export function csv(names: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [names, ...rows].map((row) => `${row.map((value) => csvField(value)).join(",")}\r\n`).join("");
}
