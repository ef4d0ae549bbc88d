import type { ApiResponse } from "./api-response.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { type Grouping, type Sum, UsageGroups, type UsageReport } from "./sum.ts";
import { isDayWithin, isLimited } from "./local-day.ts";
import { priceUsage } from "./price.ts";

export type { UsageReport } from "./sum.ts";
export type { UsageSum } from "./sum.ts";
export { countOnce, type UsageRecord } from "./agent-record.ts";

/** The fields of a deduplicated API response that sums need. */
export type CountedResponse = Pick<
  ApiResponse,
  "model" | "at" | "usage" | "sessionId" | "cwd" | "terms" | "lastCall"
>;

export interface AggregateOptions {
  readonly by: Grouping;
  /** The first and last local calendar days that count, such as `2026-11-21`; null for no limit. */
  readonly since: string | null;
  readonly until: string | null;
  /** Returns a time's local calendar day. */
  readonly dayOf: (at: number) => string;
  readonly catalogue: Catalogue;
}

/** Sums responses in groups. The order of the responses does not matter. */
export function aggregateUsage(
  responses: Iterable<CountedResponse>,
  { by, since, until, dayOf, catalogue }: AggregateOptions,
): UsageReport {
  const groups = new UsageGroups();
  const limits = { since, until };
  let undated = 0;
  let last: { key: string; model: string; sum: Sum } | undefined;
  for (const response of responses) {
    const day = response.at === null ? null : dayOf(response.at);
    if (day === null && isLimited(limits)) undated += 1;
    if (!isDayWithin(day, limits)) continue;
    const key = keyOf(by, response, day);
    const { model } = response;
    // Responses of one sum mostly come in sequence.
    if (last?.key !== key || last.model !== model) last = { key, model, sum: groups.sumOf(key, model) };
    last.sum.add(response, priceUsage(response, catalogue));
  }
  return groups.report({ by, undated });
}

function keyOf(by: Grouping, { model, sessionId, cwd }: CountedResponse, day: string | null): string {
  switch (by) {
    case "day":
      return day ?? "unknown";
    case "session":
      return sessionId;
    case "project":
      return cwd ?? "unknown";
    case "model":
      return model;
  }
}
