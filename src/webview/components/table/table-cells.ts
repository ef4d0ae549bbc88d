import { html, nothing, svg, type TemplateResult } from "lit";
import { t } from "../../../engine/base/language.ts";
import { absent, cost, count, estimate, share, type Priced } from "../figures.ts";
import { outside } from "../outside.ts";
import type { Cell } from "./table-rows.ts";
import type { Heading } from "./table.ts";
import { moment } from "../times.ts";

/** Maximum length of a name in a column. Characters. */
export const longestName = 56;

export function column(text: string, title?: string): Heading {
  return { text, title };
}

/** The heading of a column of figures. */
export function numberColumn(text: string, title?: string): Heading {
  return { text, isNumber: true, title };
}

/** The heading of a column that is hidden when there is little room. */
export function extra(heading: Heading): Heading {
  return { ...heading, isExtra: true };
}

/** The heading of the column by which the rows are given, the largest first. */
export function largestFirst(heading: Heading): Heading {
  return { ...heading, order: "descending" };
}

export function numberCell(value: number | null): Cell {
  return { content: () => count(value), sort: value };
}

export function estimateCell(value: number | null): Cell {
  return { content: () => estimate(value), sort: value };
}

export function costCell(priced: Priced, isEstimate = false): Cell {
  return { content: () => cost(priced, isEstimate), sort: priced.usd };
}

/** @param ifNone a word for a text that does not exist; without it a dash shows that the text is unknown */
export function textCell(text: string | null, ifNone: string | null = null): Cell {
  if (text !== null && text !== "") return { content: () => outside(text, longestName), sort: text };
  return ifNone === null
    ? absentCell()
    : { content: () => html`<span class="quiet">${ifNone}</span>`, sort: null };
}

/** A dash. @param what its meaning */
export function absentCell(what = t("Unknown")): Cell {
  return { content: () => absent(what), sort: null };
}

export function timeCell(at: number | null, now: number): Cell {
  return at === null ? textCell(null) : { content: () => moment(at, now), sort: at };
}

/** Shows a share as a percentage and as a bar. @param hasTrack whether the bar also shows the rest */
export function shareCell(part: number, whole: number, hasTrack = false): Cell {
  const width = whole > 0 ? `${Math.min(100, (part / whole) * 100).toFixed(2)}%` : "0%";
  const track = hasTrack ? svg`<rect class="track" width="100%" height="8" rx="2" />` : nothing;
  const content = () =>
    html`<span class="share"
      ><span class="number">${share(part, whole)}</span
      ><svg class="bar" aria-hidden="true">
        ${track}${svg`<rect width=${width} height="8" rx="2" />`}
      </svg></span
    >`;
  return { content, sort: part };
}

export function link(content: unknown, run: () => void, label?: string): TemplateResult {
  return label === undefined
    ? html`<button class="link" @click=${run}>${content}</button>`
    : html`<button class="link" aria-label=${label} @click=${run}>${content}</button>`;
}
