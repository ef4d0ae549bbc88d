import { nothing, svg, type TemplateResult } from "lit";
import { PurserChart, type Frame } from "./chart.ts";
import { sum, type Band, type Level } from "./series.ts";

/** Names closer than this would cover each other. Pixels. */
const nameHeight = 13;

/** Shades the bands, behind everything else. */
function drawBands({ left, width, y }: Frame, bands: readonly Band[]): TemplateResult {
  return svg`${bands.map(({ from, to, tone }) => {
    const [top, bottom] = [y(to), y(from)];
    return svg`<rect class="zone ${tone}" x=${left} width=${width} y=${top} height=${Math.max(0, bottom - top)} />`;
  })}`;
}

/** Names the bands at the left, where a chart that grows is empty, as far as there is room. */
function nameBands({ left, y }: Frame, bands: readonly Band[]): TemplateResult {
  return svg`${bands.map(({ name, from, to }) =>
    y(from) - y(to) < nameHeight
      ? nothing
      : svg`<text class="zone-name" x=${left + 6} y=${y(from) - 4}>${name}</text>`,
  )}`;
}

/**
 * Draws dashed lines with their names at the right, the highest first; a name without room is below its line.
 */
function drawLevels({ left, width, y }: Frame, levels: readonly Level[]): TemplateResult {
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

/** Stacked areas, the first series at the bottom. A column's value is at its middle. */
export class PurserAreaChart extends PurserChart {
  static override readonly properties = {
    ...PurserChart.properties,
    levels: { attribute: false },
    bands: { attribute: false },
    lastName: {},
  };
  declare levels: readonly Level[];
  declare bands: readonly Band[];
  /** Written at the last column's value; empty for nothing. */
  declare lastName: string;
  protected override readonly plotHeight = 240;
  protected override readonly isCursorOver = true;

  constructor() {
    super();
    this.levels = [];
    this.bands = [];
    this.lastName = "";
  }

  protected override largest(): number {
    return Math.max(super.largest(), ...this.levels.map(({ value }) => value));
  }

  protected override draw(frame: Frame): TemplateResult {
    return svg`${drawBands(frame, this.bands)}${this.#drawAreas(frame)}${nameBands(frame, this.bands)}
      ${drawLevels(frame, this.levels)}${this.#nameLast(frame)}`;
  }

  #nameLast({ left, width, x, y }: Frame): TemplateResult | typeof nothing {
    const last = this.columns.length - 1;
    if (this.lastName === "" || last < 0) return nothing;
    const at = y(sum(this.columns[last]?.values ?? []));
    const across = Math.min(left + width, (x(last) + x(last + 1)) / 2);
    // The names of levels are near their lines.
    const isCrowded = this.levels.some(({ value }) => Math.abs(y(value) - at) < 2 * nameHeight);
    const baseline = isCrowded ? at + 16 : Math.max(12, at - 7);
    return svg`<circle class="dot" cx=${across} cy=${at} r="3.5" />
      <text class="last" x=${across - 6} y=${baseline} text-anchor="end">${this.lastName}</text>`;
  }

  #drawAreas(frame: Frame): TemplateResult {
    const below = this.columns.map(() => 0);
    const breaks = new Set(this.marks.map(({ column }) => column));
    return svg`${this.series.map(({ tone }, series) => {
      const low = [...below];
      for (const [index, { values }] of this.columns.entries())
        below[index] = (below[index] ?? 0) + (values[series] ?? 0);
      return svg`<path class="fill band tone-${tone ?? "other"}" d=${areaPath(frame, low, below, breaks)} />`;
    })}`;
  }

  protected override drawCursor({ x, y }: Frame, column: number): TemplateResult {
    const middle = (x(column) + x(column + 1)) / 2;
    const all = sum(this.columns[column]?.values ?? []);
    return svg`<line class="cursor" x1=${middle} x2=${middle} y1="2" y2=${y(0)} />
      <circle class="dot" cx=${middle} cy=${y(all)} r="3.5" />`;
  }
}

customElements.define("purser-area-chart", PurserAreaChart);

function areaPath(
  frame: Frame,
  low: readonly number[],
  high: readonly number[],
  breaks: ReadonlySet<number>,
): string {
  if (low.length === 0) return "";
  const back = edge(frame, low, breaks).reverse();
  return `M${[...edge(frame, high, breaks), ...back].join("L")}Z`;
}

/**
 * The edge is level at both ends of the drawing, so that even a single column has an area. @param breaks columns before
 * which the edge steps instead of sloping
 */
function edge(frame: Frame, values: readonly number[], breaks: ReadonlySet<number>): string[] {
  const { x, y, left, width } = frame;
  const point = (across: number, value: number) => `${across.toFixed(1)} ${y(value).toFixed(1)}`;
  const points = values.flatMap((value, index) => {
    const middle = point((x(index) + x(index + 1)) / 2, value);
    if (index === 0 || !breaks.has(index)) return [middle];
    return [point(x(index), values[index - 1] ?? 0), point(x(index), value), middle];
  });
  return [point(left, values[0] ?? 0), ...points, point(left + width, values.at(-1) ?? 0)];
}
