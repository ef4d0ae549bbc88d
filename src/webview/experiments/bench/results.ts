import { inWords, t } from "../../../engine/base/language.ts";
import { html, nothing, svg, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import type { JobView, SideFigures } from "../../../engine/jobs/bench-answers.ts";
import { absentCell, numberCell, column, numberColumn, extra } from "../../components/table/table-cells.ts";
import { outside } from "../../components/outside.ts";
import "../../components/section.ts";
import { dataTable, type Heading } from "../../components/table/table.ts";
import type { Cell } from "../../components/table/table-rows.ts";
import { difference, isBaseline, notes } from "../describe-jobs.ts";
import { spaced } from "../../components/sentences.ts";

interface Range {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Compares the tokens of completed runs with baseline and best: for each task, and for all tasks of a side. */
export function resultsSection(view: JobView): TemplateResult | typeof nothing {
  const { figures, taskFigures, tasks, sides } = view;
  if (!taskFigures.some(({ passed }) => passed > 0)) return nothing;
  const ranges = [
    ...figures.map(sideRange),
    ...taskFigures.map(({ mean, interval, run1 }) => rangeOf(mean, interval, run1)),
  ];
  const domain = domainOf(ranges.filter((range) => range !== null));
  const isMany = sides.length > 1;
  // The first benchmark is the baseline: there is nothing to compare it with.
  const isFirst = isBaseline(view);
  const compared = (...cells: Cell[]): Cell[] => (isFirst ? [] : cells);
  const rows = sides.flatMap(({ label, agent }, side) => {
    const all = figures.find((one) => one.side === side);
    const own = taskFigures.filter((one) => one.side === side);
    const name = (text: string) =>
      isMany
        ? `${agent}${sides.some((other, index) => index !== side && other.agent === agent) ? ` (${inWords(label)})` : ""} · ${text}`
        : text;
    const whole =
      all === undefined
        ? []
        : [
            {
              key: `side ${side}`,
              cells: [
                { content: () => html`<strong>${outside(name(t("All tasks")), 80)}</strong>`, sort: "" },
                passedCell(all),
                numberCell(all.tokens),
                ...compared(
                  numberCell(all.run1 === null || all.tokens === null ? null : all.tokens / all.run1.share),
                  numberCell(all.best === null || all.tokens === null ? null : all.tokens / all.best.share),
                  againstCell(sideRange(all), domain),
                ),
              ],
            },
          ];
    const each = own.map((one) => {
      const title = tasks.find(({ id }) => id === one.taskId)?.title ?? one.taskId;
      const flag = one.isUnsteady
        ? html`<span class="flag" title=${t("Two completed runs differ by more than a quarter")}
            >${t("unsteady")}</span
          >`
        : null;
      return {
        key: `${side} ${one.taskId}`,
        cells: [
          {
            content: () =>
              flag === null ? outside(name(title), 80) : spaced(outside(name(title), 80), flag),
            sort: title,
          },
          passedCell(one),
          numberCell(one.mean),
          ...compared(
            numberCell(one.run1),
            numberCell(one.best),
            againstCell(rangeOf(one.mean, one.interval, one.run1), domain),
          ),
        ],
      };
    });
    return [...whole, ...each];
  });
  const headings: Heading[] = [
    column(t("Task")),
    numberColumn(t("Passed")),
    numberColumn(t("Tokens a run"), t("New tokens of completed runs, their mean")),
    ...(isFirst
      ? []
      : [
          extra(numberColumn(t("Baseline"), t("The first completed run, which never changes"))),
          extra(numberColumn(t("Best"), t("The least that a completed run ever took"))),
          column(t("Vs. baseline")),
        ]),
  ];
  return html`<purser-section heading=${t("Results")} note=${notes.results}>
    ${dataTable({ label: t("Results"), headings, rows, most: 24 })}
  </purser-section>`;
}

function passedCell({ passed, runs }: Pick<SideFigures, "passed" | "runs">): Cell {
  return {
    content: () => t("{0} of {1}", wholeNumber(passed), wholeNumber(runs)),
    sort: runs === 0 ? null : passed / runs,
  };
}

function sideRange({ run1 }: SideFigures): Range | null {
  if (run1 === null) return null;
  const { share, interval } = run1;
  return { value: share, low: interval?.low ?? share, high: interval?.high ?? share };
}

function rangeOf(
  mean: number | null,
  interval: { readonly low: number; readonly high: number } | null,
  run1: number | null,
): Range | null {
  if (mean === null || run1 === null || run1 === 0) return null;
  return {
    value: mean / run1,
    low: (interval?.low ?? mean) / run1,
    high: (interval?.high ?? mean) / run1,
  };
}

/** The range of the axis: all values, and run1 itself. Longer intervals are cut off. */
function domainOf(ranges: readonly Range[]): readonly [number, number] {
  const values = ranges.map(({ value }) => value);
  const low = Math.min(0.9, ...values, ...ranges.map((range) => Math.max(range.low, 0)));
  const high = Math.max(1.1, ...values, ...ranges.map((range) => Math.min(range.high, 2)));
  const room = (high - low) * 0.06;
  return [low - room, high + room];
}

/** Shows `−22%` with a drawing: a dot, its interval, and a line at run1. */
function againstCell(range: Range | null, [from, to]: readonly [number, number]): Cell {
  if (range === null) return absentCell();
  const positionOf = (value: number) =>
    `${(Math.min(1, Math.max(0, (value - from) / (to - from))) * 100).toFixed(2)}%`;
  const { value, low, high } = range;
  const whisker =
    low === high
      ? nothing
      : svg`<line class="whisker" x1=${positionOf(low)} x2=${positionOf(high)} y1="8" y2="8" />`;
  const told =
    low === high
      ? difference(value)
      : t("{0} ({1} to {2})", difference(value), difference(low), difference(high));
  const content = () =>
    html`<span class="share"
      ><span class="number" title=${told}>${difference(value)}</span
      ><svg class="dots" aria-hidden="true">
        ${svg`<line class="run1" x1=${positionOf(1)} x2=${positionOf(1)} y1="0" y2="16" />${whisker}<circle cx=${positionOf(value)} cy="8" r="4" />`}
      </svg></span
    >`;
  return { content, sort: value };
}
