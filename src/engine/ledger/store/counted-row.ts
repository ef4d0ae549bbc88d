import type { CountedResponse } from "../../usage/aggregate.ts";
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

/** The columns that `countedIn` reads; they come first in a select's list, so further columns start at 9. */
export const countedColumns = `session_id, model, at, cwd, ${usageColumns}`;

export function countedIn(cells: readonly Cell[]): CountedResponse {
  return {
    sessionId: textIn(cells[0]),
    model: textIn(cells[1]),
    at: maybeNumberIn(cells[2]),
    cwd: maybeTextIn(cells[3]),
    usage: usageIn(cells, 4),
  };
}
