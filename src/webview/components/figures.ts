import { html, nothing, type TemplateResult } from "lit";
import { dash } from "../../engine/base/text/format.ts";
import {
  dollarAmount,
  dollars,
  estimatedNumber,
  limitPercent,
  signedNumber,
  wholeNumber,
} from "../../engine/base/text/local-format.ts";
import { plural, t } from "../../engine/base/text/l10n.ts";

/** Figures in table cells: the unit is in the heading. */

/** A dash in place of a figure, with what it means in its tooltip: it is unknown, or there is none. */
export function absent(what: string): TemplateResult {
  return html`<span class="quiet" role="img" aria-label=${what} title=${what}>${dash}</span>`;
}

export const unknown = absent(t("Unknown"));

export function count(value: number | null): string | TemplateResult {
  return value === null ? unknown : wholeNumber(value);
}

/** An estimated figure. */
export function estimate(value: number | null): string | TemplateResult {
  return value === null ? unknown : `~${estimatedNumber(value)}`;
}

/** A cost that is a lower bound if responses have no known price. USD. */
export interface Priced {
  readonly usd: number | null;
  readonly unpriced: number;
}

/** A cost in a cell: `1.92`, `≥ 1.92`, or unknown. */
export function cost({ usd, unpriced }: Priced, isEstimate = false): string | TemplateResult {
  if (usd === null) return unknown;
  const figure = `${isEstimate ? "~" : ""}${dollarAmount(usd)}`;
  if (unpriced === 0) return figure;
  const title = plural(
    unpriced,
    t("1 response has no known price"),
    t("{0} responses have no known price", wholeNumber(unpriced)),
  );
  return html`<span title=${title}>≥ ${figure}</span>`;
}

/** A cost in a sentence: `$1.92`, `at least $1.92`, or `unknown cost`. */
export function describeCost({ usd, unpriced }: Priced): string {
  if (usd === null) return t("unknown cost");
  return unpriced === 0 ? dollars(usd) : t("at least {0}", dollars(usd));
}

export function share(part: number, whole: number): string | typeof nothing {
  return whole > 0 ? limitPercent((part / whole) * 100) : nothing;
}

/** The difference made by the change: `−4,200`. Saved processing tokens are negative. */
export function againstBefore(saved: number): string {
  return signedNumber(-saved);
}
