/** Calls that were not judged. Loaded by the extension: without schemas. */
import { t } from "../base/language.ts";

interface Counted {
  readonly rule: string;
  readonly done: string;
  readonly count: number;
}

/** Calls that no rule has judged, by who should have: the service, or the hook program while no service answered. */
export const notJudged = { byService: "not-judged", alone: "not-judged-alone" } as const;

export function isNotJudged({ rule }: { readonly rule: string }): boolean {
  return rule === notJudged.byService || rule === notJudged.alone;
}

/** Why a call was not judged, and what helps. */
export function describeNotJudged(rule: string): string {
  return rule === notJudged.alone
    ? t(
        "No service of purser answered, and nothing else judged the call in time. `purser doctor` finds out why.",
      )
    : t(
        "Purser's service was too busy, or could not load its rules. `purser service restart` starts it again; `purser doctor` finds out why.",
      );
}

/** The calls that were not judged, and how many of them ran. */
export function countNotJudged(counts: readonly Counted[]): {
  readonly calls: number;
  readonly ran: number;
} {
  const own = counts.filter(isNotJudged);
  const sumOf = (some: typeof own) => some.reduce((sum, { count }) => sum + count, 0);
  return { calls: sumOf(own), ran: sumOf(own.filter(({ done }) => done === "unjudged")) };
}
