import type { FileProblem } from "../transcripts/claude/files.ts";
import type { SkippedRows } from "../transcripts/scan/unit-scanner.ts";
import type { Grouping, UsageReport, UsageSum } from "../usage/aggregate.ts";
import { cacheCreation } from "../usage/token-usage.ts";
import type { UsageJson } from "./usage-schema.ts";

/** What `purser usage` found, before it is printed. */
export interface UsageOutcome {
  readonly by: Grouping;
  readonly since: string | null;
  readonly until: string | null;
  readonly roots: readonly string[];
  readonly report: UsageReport;
  readonly skipped: SkippedRows;
  readonly problems: readonly FileProblem[];
  readonly files: number;
}

export function usageToJson({ report, ...outcome }: UsageOutcome): UsageJson {
  return {
    schema: 1,
    by: outcome.by,
    since: outcome.since,
    until: outcome.until,
    rows: report.rows.map((row) => ({ key: row.key, model: row.model, ...sumToJson(row) })),
    totals: sumToJson(report.totals),
    undated: report.undated,
    skipped: { ...outcome.skipped },
    problems: outcome.problems.map(({ path, reason }) => ({ path, reason })),
    files: outcome.files,
    roots: [...outcome.roots],
  };
}

function sumToJson({ usage, usd, unpriced, responses }: UsageSum): UsageJson["totals"] {
  return {
    input: usage.input,
    output: usage.output,
    cacheCreation: cacheCreation(usage),
    cacheRead: usage.cacheRead,
    usd,
    provenance: usd === null ? "unknown" : "estimated",
    responses,
    unpriced,
  };
}
