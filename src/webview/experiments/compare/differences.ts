import { html, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import type { ComparisonView } from "../../../engine/jobs/compare-answers.ts";
import { outside } from "../../components/outside.ts";
import "../../components/section.ts";
import { absentCell, column, numberColumn, extra } from "../../components/table/table-cells.ts";
import type { Cell } from "../../components/table/table-rows.ts";
import { tableToggle, type Heading, dataTable } from "../../components/table/table.ts";
import type { RenderContext } from "../experiments-model.ts";
import { differencePlot, type PlotRow } from "../../components/charts/difference-plot.ts";
import { againstBefore } from "../../components/figures.ts";
import { notes } from "./describe-compare.ts";
import { spaced } from "../../components/sentences.ts";

type Task = ComparisonView["tasks"][number];

const label = t("New tokens of a completed run with the change, compared with the unchanged agent");

/** Shows how many more or fewer tokens each task uses with the change, and all tasks together. */
export function differencesSection(
  { tables, actions }: RenderContext,
  result: ComparisonView,
): TemplateResult {
  const key = "differences";
  const isTable = tables.has(key);
  return html`<purser-section heading=${t("Differences by task")} note=${notes.differences}>
    <div slot="actions">
      ${tableToggle(isTable, t("differences by task"), () => actions.toggleTable(key))}
    </div>
    ${isTable ? taskTable(result) : differencesOf(result)}
  </purser-section>`;
}

export function differencesOf(result: ComparisonView): TemplateResult {
  return differencePlot(label, rowsOf(result));
}

function rowsOf({ tasks, saving }: ComparisonView): PlotRow[] {
  const each = tasks.map((task) => ({
    name: task.title,
    saved: savedOf(task),
    why: task.runs === 0 ? t("no round that both sides completed") : t("too few pairs for an interval"),
    flag: task.isRegressed ? t("fails now") : null,
    isWhole: false,
  }));
  const why = t("needs two tasks that both sides finished");
  return [...each, { name: t("All tasks"), saved: saving, why, flag: null, isWhole: true }];
}

function savedOf({ value, low, high }: Task): PlotRow["saved"] {
  return value === null || low === null || high === null ? null : { value, low, high };
}

function taskTable({ tasks, saving, sides }: ComparisonView): TemplateResult {
  const headings: Heading[] = [
    column(t("Task")),
    numberColumn(t("Pairs"), t("Rounds that both sides completed")),
    numberColumn(t("Difference"), label),
    numberColumn(t("From")),
    numberColumn(t("To")),
    extra(numberColumn(t("Passed unchanged"))),
    extra(numberColumn(t("With the change"))),
  ];
  const rows = [
    ...tasks.map((task) => ({
      key: task.taskId,
      cells: [
        {
          content: () =>
            task.isRegressed
              ? spaced(outside(task.title, 60), html`<span class="flag">${t("fails now")}</span>`)
              : outside(task.title, 60),
          sort: task.title,
        },
        { content: () => wholeNumber(task.runs), sort: task.runs },
        ...savedCells(savedOf(task)),
        ...([0, 1] as const).map((side) => passedCell(task.passed[side], task.made[side])),
      ],
    })),
    {
      key: t("all tasks"),
      cells: [
        { content: () => html`<strong>${t("All tasks")}</strong>`, sort: null },
        { content: () => wholeNumber(tasks.reduce((sum, { runs }) => sum + runs, 0)), sort: null },
        ...savedCells(saving),
        ...sides.map(({ passed }) => passedCell(passed.passed, passed.runs)),
      ],
    },
  ];
  return dataTable({ label: t("Differences by task"), headings, rows, most: 24 });
}

/** Converts savings to differences: the smallest saving is the largest difference. */
function savedCells(saved: PlotRow["saved"]): Cell[] {
  return [saved?.value, saved?.high, saved?.low].map((value) =>
    value === undefined
      ? absentCell(t("Nothing to compare yet"))
      : { content: () => againstBefore(value), sort: -value },
  );
}

function passedCell(passed: number, runs: number): Cell {
  return {
    content: () => t("{0} of {1}", wholeNumber(passed), wholeNumber(runs)),
    sort: runs === 0 ? null : passed / runs,
  };
}
