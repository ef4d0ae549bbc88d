import { html, type TemplateResult } from "lit";
import { language } from "../../../engine/base/language.ts";

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
