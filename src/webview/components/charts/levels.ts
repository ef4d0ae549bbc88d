import { nothing, svg, type TemplateResult } from "lit";
import type { Frame } from "./chart.ts";
import type { Band, Level } from "./series.ts";

/** Names closer than this would cover each other. Pixels. */
const nameHeight = 13;

/** Shades the bands, behind everything else. */
export function drawBands({ left, width, y }: Frame, bands: readonly Band[]): TemplateResult {
  return svg`${bands.map(({ from, to, tone }) => {
    const [top, bottom] = [y(to), y(from)];
    return svg`<rect class="zone ${tone}" x=${left} width=${width} y=${top} height=${Math.max(0, bottom - top)} />`;
  })}`;
}

/** Names the bands at the left, where a chart that grows is empty, as far as there is room. */
export function nameBands({ left, y }: Frame, bands: readonly Band[]): TemplateResult {
  return svg`${bands.map(({ name, from, to }) =>
    y(from) - y(to) < nameHeight
      ? nothing
      : svg`<text class="zone-name" x=${left + 6} y=${y(from) - 4}>${name}</text>`,
  )}`;
}

/** Draws dashed lines with their names at the right, the highest first; a name without room stands below its line. */
export function drawLevels({ left, width, y }: Frame, levels: readonly Level[]): TemplateResult {
  const right = left + width;
  let above = -Infinity;
  return svg`${levels
    .toSorted((one, other) => other.value - one.value)
    .map(({ name, value }) => {
      const at = y(value);
      const isBelow = at - 4 - above < nameHeight || at < nameHeight;
      const baseline = isBelow ? at + 12 : at - 4;
      above = baseline;
      return svg`<line class="level" x1=${left} x2=${right} y1=${at} y2=${at} />
        <text class="level-name" x=${right} y=${baseline} text-anchor="end">${name}</text>`;
    })}`;
}
