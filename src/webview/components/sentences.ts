import { html, type TemplateResult } from "lit";
import { language, inWords, plural, t } from "../../engine/base/language.ts";
import type { ComparisonView } from "../../engine/jobs/compare-answers.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";

/**
 * Shows two parts with a space between them. Each has its own element: Chromium leaves a space beside a comment out of accessible names, and
 * lit puts a comment beside each value.
 */
export function spaced(first: unknown, second: unknown): TemplateResult {
  return html`<span>${first}</span> <span>${second}</span>`;
}

/**
 * Puts elements, or other values, into a translated sentence: `filled(t("Saved in {0}."), link)`. Returns its parts, in the order that the
 * language has them.
 */
export function filled(sentence: string, ...values: readonly unknown[]): unknown[] {
  return sentence.split(/(\{\d+\})/u).map((part) => {
    const place = /^\{(\d+)\}$/u.exec(part)?.[1];
    return place === undefined || Number(place) >= values.length ? part : values[Number(place)];
  });
}

/** A name within a sentence. In German it keeps its capital: most are nouns. */
export function inSentence(name: string): string {
  return language().startsWith("de") ? name : name.toLowerCase();
}

/** The verdict of a comparison, which its receipt has in English. */
export function verdictSentence({ sentence }: Pick<ComparisonView, "sentence">): string {
  return inWords(sentence);
}

/** The same of a rule, or of a set of rules. */
export function verdictReason({ reason }: Pick<ComparisonView, "reason">): string {
  return inWords(reason);
}

/** Counted things on their own, as in a row of facts. In a sentence, the count is part of the sentence. */

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
