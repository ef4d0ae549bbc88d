/** Counted things on their own, as in a row of facts. In a sentence, the count is part of the sentence. */
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";

export function runCount(count: number): string {
  return plural(count, t("1 run"), t("{0} runs", wholeNumber(count)));
}

/** `7 of 24 runs` */
export function runsOf(done: number, of: number): string {
  return plural(
    of,
    t("{0} of 1 run", wholeNumber(done)),
    t("{0} of {1} runs", wholeNumber(done), wholeNumber(of)),
  );
}

/** `7 of at most 24 runs` */
export function runsOfAtMost(done: number, of: number): string {
  return plural(
    of,
    t("{0} of at most 1 run", wholeNumber(done)),
    t("{0} of at most {1} runs", wholeNumber(done), wholeNumber(of)),
  );
}

export function ruleCount(count: number): string {
  return plural(count, t("1 rule"), t("{0} rules", wholeNumber(count)));
}

export function turnCount(count: number): string {
  return plural(count, t("1 turn"), t("{0} turns", wholeNumber(count)));
}

export function callCount(count: number): string {
  return plural(count, t("1 call"), t("{0} calls", wholeNumber(count)));
}

export function responseCount(count: number): string {
  return plural(count, t("1 response"), t("{0} responses", wholeNumber(count)));
}

export function compactionCount(count: number): string {
  return plural(count, t("1 compaction"), t("{0} compactions", wholeNumber(count)));
}

export function sessionCount(count: number): string {
  return plural(count, t("1 session"), t("{0} sessions", wholeNumber(count)));
}

export function timeCount(count: number): string {
  return plural(count, t("1 time"), t("{0} times", wholeNumber(count)));
}
