import { html, nothing, type TemplateResult } from "lit";
import { dollars, percent, wholeNumber } from "../../engine/base/text/format.ts";

/** Figures in table cells: the unit is in the heading. */

export const unknown = html`<span class="quiet">unknown</span>`;

export function count(value: number | null): string | TemplateResult {
  return value === null ? unknown : wholeNumber(value);
}

/** An estimated figure. */
export function estimate(value: number | null): string | TemplateResult {
  return value === null ? unknown : `~${wholeNumber(value)}`;
}

/** A cost that is a lower bound if responses have no known price. USD. */
export interface Priced {
  readonly usd: number | null;
  readonly unpriced: number;
}

/** A cost in a cell: `1.92`, `≥ 1.92`, or unknown. */
export function cost({ usd, unpriced }: Priced, isEstimate = false): string | TemplateResult {
  if (usd === null) return unknown;
  const figure = `${isEstimate ? "~" : ""}${dollars(usd).replace("$", "")}`;
  if (unpriced === 0) return figure;
  const title = `${wholeNumber(unpriced)} ${unpriced === 1 ? "response has" : "responses have"} no known price`;
  return html`<span title=${title}>≥ ${figure}</span>`;
}

/** A cost in a sentence: `$1.92`, `at least $1.92`, or `unknown cost`. */
export function describeCost({ usd, unpriced }: Priced): string {
  if (usd === null) return "unknown cost";
  return unpriced === 0 ? dollars(usd) : `at least ${dollars(usd)}`;
}

export function share(part: number, whole: number): string | typeof nothing {
  return whole > 0 ? percent((part / whole) * 100) : nothing;
}

export function plural(count: number, one: string, more: string): string {
  return `${wholeNumber(count)} ${count === 1 ? one : more}`;
}

/** The difference made by the change: `−4,200`. Saved processing tokens are negative. */
export function againstBefore(saved: number): string {
  const written = wholeNumber(Math.abs(saved));
  if (written === "0") return "±0";
  return saved > 0 ? `−${written}` : `+${written}`;
}

/** `−1,234`: a whole number with a minus sign, which a hyphen is not. */
export function wholeWithMinus(value: number): string {
  return value < 0 ? `−${wholeNumber(-value)}` : wholeNumber(value);
}
