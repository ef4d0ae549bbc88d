import type { CountedResponse } from "../../usage/aggregate.ts";
import type { ApiResponse } from "../../usage/api-response.ts";
import { termsOfText } from "../../usage/price.ts";
import type { TokenUsage } from "../../usage/token-counts.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn, type Cell } from "./cell.ts";

/** The columns that `usageIn` reads. */
export const usageColumns = "input, output, cache_creation_5m, cache_creation_1h, cache_read";

/** @param from index of the first of them in the row */
export function usageIn(cells: readonly Cell[], from: number): TokenUsage {
  return {
    input: numberIn(cells[from]),
    output: numberIn(cells[from + 1]),
    cacheCreation5m: numberIn(cells[from + 2]),
    cacheCreation1h: numberIn(cells[from + 3]),
    cacheRead: numberIn(cells[from + 4]),
  };
}

/** The columns that `detailsIn` reads. */
export const detailColumns = "price_terms, last_context, last_output";

/** The details that few responses have. @param from index of the first of the columns in the row */
export function detailsIn(cells: readonly Cell[], from: number): Pick<ApiResponse, "terms" | "lastCall"> {
  const terms = termsOfText(maybeTextIn(cells[from]));
  const context = maybeNumberIn(cells[from + 1]);
  if (terms === undefined && context === null) return nothing;
  const output = maybeNumberIn(cells[from + 2]) ?? 0;
  // Without a context the last call is unknown, stored as 0.
  const lastCall = context === null ? undefined : context === 0 ? null : { context, output };
  return { terms, lastCall };
}

const nothing = {};

/** The columns that `countedIn` reads; they come first in a select's list. */
export const countedColumns = `session_id, model, at, cwd, ${usageColumns}, ${detailColumns}`;
/** The index of the first column after them. */
export const afterCounted = 12;

export function countedIn(cells: readonly Cell[]): CountedResponse {
  return {
    sessionId: textIn(cells[0]),
    model: textIn(cells[1]),
    at: maybeNumberIn(cells[2]),
    cwd: maybeTextIn(cells[3]),
    usage: usageIn(cells, 4),
    ...detailsIn(cells, 9),
  };
}
