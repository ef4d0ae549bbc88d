import type { Sentence } from "../../base/language.ts";
import type { FileProblem } from "../../base/result.ts";
import type { SkippedRows } from "../../transcripts/records.ts";
import type { UsageReport, UsageSum } from "../../usage/aggregate.ts";
import { cacheCreation } from "../../usage/token-counts.ts";
import type { UsageRequest } from "./usage-request.ts";
import type { UsageJson } from "./usage-schema.ts";

export interface UsageOutcome {
  readonly request: UsageRequest;
  readonly report: UsageReport;
  readonly source: "ledger" | "transcripts";
  /** Usage up to this time is counted. Milliseconds since the epoch; null if unknown. */
  readonly asOf: number | null;
  readonly roots: readonly string[];
  /** Null in the ledger. */
  readonly skipped: SkippedRows | null;
  readonly problems: readonly FileProblem[];
  /** Transcripts read; null from the ledger, which also includes deleted ones. */
  readonly files: number | null;
  /**
   * Why an existing ledger was not asked for usage that transcripts no longer have. Null if nothing is
   * missing.
   */
  readonly withoutLedger: Sentence | null;
}

export function usageToJson({ request, report, ...outcome }: UsageOutcome): UsageJson {
  return {
    schema: 1,
    by: request.by,
    since: request.since,
    until: request.until,
    project: request.project,
    agent: request.agent,
    source: outcome.source,
    asOf: outcome.asOf === null ? null : new Date(outcome.asOf).toISOString(),
    rows: report.rows.map((row) => ({ key: row.key, model: row.model, ...sumToJson(row) })),
    totals: sumToJson(report.totals),
    undated: report.undated,
    skipped: outcome.skipped === null ? null : { ...outcome.skipped },
    problems: outcome.problems.map(({ path, reason }) => ({ path, reason })),
    files: outcome.files,
    withoutLedger: outcome.withoutLedger,
    roots: [...outcome.roots],
  };
}

function sumToJson({ usage, usd, unpriced, standardTier, responses }: UsageSum): UsageJson["totals"] {
  return {
    input: usage.input,
    output: usage.output,
    cacheCreation: cacheCreation(usage),
    cacheRead: usage.cacheRead,
    usd,
    provenance: usd === null ? "unknown" : "estimated",
    responses,
    unpriced,
    standardTier,
  };
}
