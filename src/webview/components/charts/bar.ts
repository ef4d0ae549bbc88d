import { svg, type TemplateResult, html } from "lit";
import { PurserChart, type Frame } from "./chart.ts";
import { t } from "../../../engine/base/language.ts";

/** Widest bar. Pixels. */
const maxWidth = 26;

/** Stacked bars, the first series at the bottom. */
class PurserBarChart extends PurserChart {
  protected override readonly plotHeight = 200;
  protected override readonly isCursorOver = false;

  protected override draw({ x, y }: Frame): TemplateResult {
    const band = x(1) - x(0);
    const width = Math.max(1, Math.min(maxWidth, band > 4 ? band * 0.74 : band - 0.6));
    const paths = this.series.map((): string[] => []);
    for (const [index, { values }] of this.columns.entries()) {
      const from = x(index) + (band - width) / 2;
      let below = 0;
      for (const [series, value] of values.entries()) {
        if (value <= 0) continue;
        const [low, high] = [y(below), y(below + value)];
        paths[series]?.push(`M${round(from)} ${round(low)}V${round(high)}h${round(width)}V${round(low)}Z`);
        below += value;
      }
    }
    return svg`${this.series.map(
      ({ tone }, index) =>
        svg`<path class="fill ${band > 6 ? "band" : ""} tone-${tone ?? "other"}" d=${paths[index]?.join("") ?? ""} />`,
    )}`;
  }

  protected override drawCursor({ x, height }: Frame, column: number): TemplateResult {
    return svg`<rect class="column" x=${x(column)} y="2" width=${x(1) - x(0)} height=${height + 6} />`;
  }
}

customElements.define("purser-bar-chart", PurserBarChart);

/** Rounds to a tenth of a pixel. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}

interface JobProgress {
  readonly done: number;
  /** Runs under way. */
  readonly live: number;
  readonly of: number;
  readonly label: string;
}

/** A bar of the runs that ended, and in stripes of those under way. */
export function jobProgress({ done, live, of, label }: JobProgress): TemplateResult {
  const percent = (count: number) => `${((Math.min(count, of) / of) * 100).toFixed(2)}%`;
  const underWay = Math.max(0, Math.min(live, of - done));
  return html`<svg
    class="job-progress"
    role="progressbar"
    aria-label=${underWay === 0 ? label : t("{0}; {1} under way", label, underWay)}
    aria-valuemin="0"
    aria-valuemax=${of}
    aria-valuenow=${done}
  >
    ${svg`<defs>
        <pattern id="stripes" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="stripe" width="4" height="8" />
        </pattern>
      </defs>
      <rect class="track" width="100%" height="6" rx="3" />
      <rect class="ended" width=${percent(done)} height="6" rx="3" />
      <rect class="live" x=${percent(done)} width=${percent(underWay)} height="6" fill="url(#stripes)" />`}
  </svg>`;
}
