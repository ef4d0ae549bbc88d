import { html, nothing, svg, type TemplateResult } from "lit";
import { cost, count, estimate, share, type Priced } from "../components/figures.ts";
import { outside, outsidePath } from "../components/outside.ts";
import { shortPaths } from "../components/paths.ts";
import type { Cell } from "../components/table-rows.ts";
import { moment } from "../components/times.ts";

/** Characters in a column of names. */
const longestName = 56;

export function numberCell(value: number | null): Cell {
  return { content: () => count(value), sort: value };
}

export function estimateCell(value: number | null): Cell {
  return { content: () => estimate(value), sort: value };
}

export function costCell(priced: Priced, isEstimate = false): Cell {
  return { content: () => cost(priced, isEstimate), sort: priced.usd };
}

export function textCell(text: string | null, ifUnknown = "unknown"): Cell {
  return text === null || text === ""
    ? { content: () => html`<span class="quiet">${ifUnknown}</span>`, sort: null }
    : { content: () => outside(text, longestName), sort: text };
}

export function timeCell(at: number | null, now: number): Cell {
  return at === null ? textCell(null) : { content: () => moment(at, now), sort: at };
}

/** Its share in words and as a bar. @param hasTrack whether the bar shows how much is left */
export function shareCell(part: number, whole: number, hasTrack = false): Cell {
  const width = whole > 0 ? `${((part / whole) * 100).toFixed(2)}%` : "0%";
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

/** Names paths by as few of their last folders as tell them apart. */
export function pathNames(paths: readonly (string | null)[]): (path: string) => TemplateResult {
  const names = shortPaths(paths.filter((path) => path !== null));
  return (path) => outsidePath(path, names.get(path) ?? path, longestName);
}

/** A session by its title, else by the beginning of its id. */
export function sessionName(id: string, title: string | null, length = longestName): TemplateResult {
  return title === null || title.trim() === ""
    ? html`<span title=${id}>Session ${outside(id.slice(0, 8), 8)}</span>`
    : outside(title, length);
}
