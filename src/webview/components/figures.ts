import { html, nothing, type TemplateResult } from "lit";
import { dash } from "../../engine/base/format.ts";
import {
  aboutDollars,
  dollarAmount,
  dollars,
  estimatedNumber,
  limitPercent,
  signedNumber,
  wholeNumber,
} from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";

/** Figures in table cells: the unit is in the heading. */

/**
 * A dash in place of a figure. Its tooltip, which is also its name, gives the reason: it is unknown, or does
 * not exist.
 */
export function absent(what: string): TemplateResult {
  return html`<span class="quiet" role="img" title=${what}>${dash}</span>`;
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
  /** What has no price, if not responses. */
  readonly unpricedWhy?: string;
  /** Responses of another service tier at the list price of the standard tier: an estimate. */
  readonly standardTier?: number;
}

/** A cost in a cell: `1.92`, `~1.92`, `≥ 1.92`, or unknown. What a mark means is in its tooltip, and is read aloud. */
export function cost(priced: Priced, isEstimate = false): string | TemplateResult {
  const { usd, unpriced, unpricedWhy, standardTier = 0 } = priced;
  if (usd === null) return unknown;
  const figure = isEstimate || standardTier > 0 ? about(dollarAmount(usd)) : dollarAmount(usd);
  if (unpriced === 0 && standardTier === 0) return figure;
  const why = [
    ...(unpriced === 0
      ? []
      : [
          unpricedWhy ??
            plural(
              unpriced,
              t("1 response has no known price"),
              t("{0} responses have no known price", wholeNumber(unpriced)),
            ),
        ]),
    ...(standardTier === 0 ? [] : [standardTierSentence(standardTier)]),
  ].join("\n");
  return html`<span title=${why}>${unpriced === 0 ? figure : `≥ ${figure}`}</span
    ><span class="hidden-text"> (${why})</span>`;
}

/** A bound, such as `< 0.001`, already shows that it is not exact. */
export function about(figure: string): string {
  return /^[<>]/u.test(figure) ? figure : `~${figure}`;
}

/** Says why the cost of these responses is an estimate. */
export function standardTierSentence(responses: number): string {
  return plural(
    responses,
    t("1 response of another service tier has the list price of the standard tier."),
    t(
      "{0} responses of another service tier have the list price of the standard tier.",
      wholeNumber(responses),
    ),
  );
}

/** A cost in a sentence: `$1.92`, `~$1.92`, `at least $1.92`, or `unknown cost`. */
export function describeCost({ usd, unpriced, standardTier = 0 }: Priced): string {
  if (usd === null) return t("unknown cost");
  const figure = standardTier > 0 ? aboutDollars(usd) : dollars(usd);
  return unpriced === 0 ? figure : t("at least {0}", figure);
}

export function share(part: number, whole: number): string | typeof nothing {
  return whole > 0 ? limitPercent((part / whole) * 100) : nothing;
}

/** The difference made by the change: `−4,200`. Saved processing tokens are negative. */
export function againstBefore(saved: number): string {
  return signedNumber(-saved);
}

/** Names a figure's origin in a word. */
export const provenanceNames = {
  official: t("official"),
  measured: t("measured"),
  estimated: t("estimated"),
  unknown: t("unknown"),
} as const;

/** Shows a few figures side by side, each below its name. @param kind an additional CSS class */
export function cards(
  figures: readonly (readonly [name: string, value: number | string, share?: string])[],
  kind = "",
): TemplateResult {
  return html`<dl class="cards ${kind}">
    ${figures.map(
      ([name, value, share]) =>
        html`<div>
          <dt>${name}</dt>
          <dd class="number">
            ${typeof value === "string" ? value : wholeNumber(value)}
            ${share === undefined ? nothing : html`<span class="quiet">${share}</span>`}
          </dd>
        </div>`,
    )}
  </dl>`;
}
