import { nothing, svg, type TemplateResult } from "lit";
import { PurserChart, type Frame } from "./chart.ts";
import { sum } from "./series.ts";

/** The interval of a column's value. */
export interface Whisker {
  readonly low: number;
  readonly high: number;
}

/** A value that columns are compared with. */
export interface ReferenceLine {
  readonly name: string;
  readonly value: number;
}

/** A dot for each column, with its interval, and horizontal reference lines. */
export class PurserDotChart extends PurserChart {
  static override readonly properties = {
    ...PurserChart.properties,
    whiskers: { attribute: false },
    lines: { attribute: false },
    most: { type: Number },
  };
  /** One per column; null when unknown. */
  declare whiskers: readonly (Whisker | null)[];
  declare lines: readonly ReferenceLine[];
  /** The greatest value there can be: the axis ends there. Infinite where nothing limits it. */
  declare most: number;
  protected override readonly plotHeight = 200;
  protected override readonly isCursorOver = true;
  protected override readonly isSingle = true;

  constructor() {
    super();
    this.whiskers = [];
    this.lines = [];
    this.most = Infinity;
  }

  protected override largest(): number {
    const highs = this.whiskers.map((whisker) => whisker?.high ?? 0);
    const largest = Math.max(super.largest(), ...highs, ...this.lines.map(({ value }) => value));
    // Leaves room above, so that a line's name is not cut off.
    return Math.min(this.most, 1.05 * largest);
  }

  protected override draw(frame: Frame): TemplateResult {
    const { x, y, left, width } = frame;
    const middle = (column: number) => (x(column) + x(column + 1)) / 2;
    const points = this.columns.map(({ values }, column) => `${middle(column)} ${y(sum(values))}`);
    return svg`${this.lines.map(
      ({ name, value }) => svg`
        <line class="mark" x1=${left} x2=${left + width} y1=${y(value)} y2=${y(value)} />
        <text x=${left + width} y=${y(value) - 4} text-anchor="end">${name}</text>`,
    )}
    ${points.length > 1 ? svg`<path class="trend" d="M${points.join("L")}" />` : nothing}
    ${this.columns.map(({ values }, column) => {
      const [across, whisker] = [middle(column), this.whiskers[column] ?? null];
      const bar =
        whisker === null
          ? nothing
          : svg`<path class="whisker" d="M${across - 7} ${y(whisker.low)}h14M${across - 7} ${y(whisker.high)}h14M${across} ${y(whisker.low)}V${y(whisker.high)}" />`;
      return svg`${bar}<circle class="value" cx=${across} cy=${y(sum(values))} r="3.5" />`;
    })}`;
  }

  protected override drawCursor({ x, y }: Frame, column: number): TemplateResult {
    const middle = (x(column) + x(column + 1)) / 2;
    const all = sum(this.columns[column]?.values ?? []);
    return svg`<circle class="ring" cx=${middle} cy=${y(all)} r="7" />`;
  }
}

customElements.define("purser-dot-chart", PurserDotChart);
