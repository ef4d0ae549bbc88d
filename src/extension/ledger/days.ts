import type { LedgerFilter } from "../../engine/ledger/answers.ts";
import type { Question } from "../../webview/ledger/protocol.ts";

/** The ledger's filter for a question: its range as local calendar days. @param now milliseconds since the epoch */
export function filterOf({ range, project, program }: Question, now: number): LedgerFilter {
  switch (range.kind) {
    case "all":
      return { since: null, until: null, project, program };
    case "between":
      return { since: range.since, until: range.until, project, program };
    case "yesterday": {
      const day = localDay(now, 1);
      return { since: day, until: day, project, program };
    }
    case "last":
      return { since: localDay(now, range.days - 1), until: localDay(now, 0), project, program };
  }
}

/** `2026-11-21`. By calendar: a day is not always 24 hours. */
function localDay(now: number, daysBefore: number): string {
  const date = new Date(now);
  date.setDate(date.getDate() - daysBefore);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
