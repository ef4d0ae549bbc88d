import { html, type TemplateResult, nothing, svg } from "lit";
import { shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import type { LearnedView } from "../../../engine/rules/rules-answers.ts";
import { ruleCount, runCount } from "../sentences.ts";
import { absentCell, numberCell, timeCell, column, numberColumn, extra } from "../table/table-cells.ts";
import { outsideText } from "../outside.ts";
import { dataTable } from "../table/table.ts";
import { moment } from "../times.ts";
import { PurserChart, type Frame } from "./chart.ts";
import { sum } from "./series.ts";

/** The interval of a column's value. */
interface Whisker {
  readonly low: number;
  readonly high: number;
}

/** A value that columns are compared with. */
interface ReferenceLine {
  readonly name: string;
  readonly value: number;
}

/** A dot for each column, with its interval, and horizontal reference lines. */
class PurserDotChart extends PurserChart {
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

/** The note of every learning curve. */
export const learningNote = t(
  "Real work's new tokens per completed run, by the version of the agent's memory that the run began with. A dot is the median, its bar holds the middle half of the runs. Other work may take other tokens: this shows a trend, a receipt is the proof.",
);

/** Charts what real work used with each version of an agent's memory. @param now milliseconds since the epoch */
export function learningChart(learned: readonly LearnedView[], label: string, now: number): TemplateResult {
  const columns = learned.map((each) => ({
    name: describeLearned(each, now),
    tick: each.version === null ? t("before") : `v${outsideText(each.version, 10)}`,
    values: [each.median],
  }));
  const last = columns.at(-1);
  return html`<p class="quiet caption">
      ${t("Median new tokens per completed run, and the middle half of the runs")}
    </p>
    <purser-dot-chart
      label=${label}
      columnHeading=${t("Memory")}
      .series=${[{ name: t("Median"), tone: 0 }]}
      .columns=${columns}
      .whiskers=${learned.map(({ p25, p75 }) => ({ low: p25, high: p75 }))}
      .summary=${{ name: last?.name ?? "", values: last?.values ?? [] }}
      .format=${wholeNumber}
      .axisFormat=${shortNumber}
    ></purser-dot-chart>`;
}

export function learningTable(learned: readonly LearnedView[], label: string, now: number): TemplateResult {
  const rows = learned.map((each, index) => ({
    key: String(index),
    cells: [
      { content: () => versionName(each), sort: index },
      each.at === null ? absentCell() : timeCell(each.at, now),
      each.rules === null ? absentCell() : numberCell(each.rules),
      ...[each.runs, each.median, each.p25, each.p75, each.mean].map(numberCell),
    ],
  }));
  const headings = [
    column(t("Memory")),
    extra(numberColumn(t("Since"))),
    extra(numberColumn(t("Rules"))),
    numberColumn(t("Runs")),
    numberColumn(t("Median"), t("New tokens per completed run")),
    extra(numberColumn("p25", t("One of four runs took no more"))),
    numberColumn("p75", t("Three of four runs took no more")),
    extra(numberColumn(t("Mean"))),
  ];
  return dataTable({ label, headings, rows, most: 14 });
}

function versionName({ version }: Pick<LearnedView, "version">): string {
  return version === null ? t("No memory yet") : t("Version {0}", outsideText(version, 24));
}

/** `Version 3 · Nov 20, 14:02 · 2 rules · 5 runs`. */
function describeLearned(learned: LearnedView, now: number): string {
  const { at, rules, runs } = learned;
  return [
    versionName(learned),
    ...(at === null ? [] : [moment(at, now)]),
    ...(rules === null ? [] : [ruleCount(rules)]),
    runCount(runs),
  ].join(" · ");
}
