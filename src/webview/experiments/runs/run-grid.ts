import { plainSentence, t } from "../../../engine/base/language.ts";
import { html, nothing, svg, type TemplateResult } from "lit";
import { shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import type { JobView } from "../../../engine/jobs/bench-answers.ts";
import { icon } from "../../components/icon.ts";
import { outside, outsideText, said, saidText } from "../../components/outside.ts";
import { duration } from "../../components/times.ts";
import { turnCount } from "../../components/sentences.ts";
import type { Place } from "../experiments-protocol.ts";
import { difference, outcomes } from "../describe-jobs.ts";

type Run = JobView["runs"][number];
type Live = JobView["live"][number];
type Task = JobView["tasks"][number];

/** Opens the page of a run. */
interface Opener {
  readonly actions: { look(place: Extract<Place, { kind: "run" }>): void };
}

interface Row {
  readonly task: Task;
  readonly side: number;
  /** Tokens that its runs are compared with: the baseline, or those of the unchanged side. */
  readonly run1: number | null;
  readonly isCompared: boolean;
  /** Rows of the task, in its first one; 0 in the others, which are below its name. */
  readonly span: number;
  /** It is the task's last row. */
  readonly isLast: boolean;
}

/** Maximum bar length, as a multiple of run1. */
const maxShown = 2;

/** Shows tasks by runs, filled in as runs end. Each cell has a bar of its tokens relative to run1, and a mark if the check failed. */
export function runGrid(context: Opener, view: JobView): TemplateResult {
  const { sides, tasks, taskFigures } = view;
  const rows: Row[] = tasks.flatMap((task) => {
    const own = sides.flatMap(({ agent }, side) => (agent === task.agent ? [side] : []));
    return own.map((side, index) => {
      const figures = taskFigures.find((one) => one.taskId === task.id && one.side === side);
      // Another model has no baseline. All sides are compared with the same tokens.
      const reference = own.length > 1 ? meanOf(view, task, own[0] ?? 0) : figures?.run1;
      const span = index === 0 ? own.length : 0;
      const isCompared = own.length > 1;
      return { task, side, run1: reference ?? null, isCompared, span, isLast: index === own.length - 1 };
    });
  });
  const rounds = Array.from({ length: view.rounds }, (_, index) => index + 1);
  const isMany = new Set(sides.map(({ agent }) => agent)).size > 1;
  const isCompared = rows.length > tasks.length;
  const scale = scaleOf(view, rows);
  return html`<div class="frame" tabindex="-1">
    <table class="grid" aria-label=${t("Runs by task")} @keydown=${moveByArrow}>
      <thead>
        <tr>
          <th scope="col">${t("Task")}</th>
          ${isCompared ? html`<th scope="col">${t("Side")}</th>` : nothing}
          ${rounds.map((round) => html`<th scope="col">${t("Run {0}", round)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr class=${row.isLast ? "last" : ""}>
              ${
                row.span === 0
                  ? nothing
                  : html`<th scope=${row.span > 1 ? "rowgroup" : "row"} rowspan=${row.span}>
                      ${isMany ? html`<span class="quiet">${outside(row.task.agent, 30)} · </span>` : nothing}${outside(row.task.title, 80)}
                    </th>`
              }
              ${isCompared ? html`<td class="keep">${said(sides[row.side]?.label ?? plainSentence(""), 24)}</td>` : nothing}
              ${rounds.map((round) => html`<td class="run">${cell(context, view, row, { round, scale })}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Mean tokens of a side's completed runs of a task; null without one. */
function meanOf({ runs }: JobView, { id }: Task, side: number): number | null {
  const own = runs.filter((run) => run.taskId === id && run.side === side && run.outcome === "passed");
  return own.length === 0 ? null : own.reduce((sum, run) => sum + run.processingTokens, 0) / own.length;
}

/** The full width of a bar, as a multiple of run1. It is the same in all cells, so that the lines at run1 are aligned. */
function scaleOf({ runs, live }: JobView, rows: readonly Row[]): number {
  const shares = rows.flatMap(({ task, side, run1 }) =>
    run1 === null
      ? []
      : [...runs, ...live]
          .filter((run) => run.taskId === task.id && run.side === side)
          .map(({ processingTokens }) => processingTokens / run1),
  );
  return Math.min(maxShown, Math.max(1.15, ...shares));
}

function cell(
  context: Opener,
  view: JobView,
  row: Row,
  { round, scale }: { round: number; scale: number },
): TemplateResult {
  const isIt = (one: Run | Live) =>
    one.taskId === row.task.id && one.side === row.side && one.round === round;
  const live = view.live.find(isIt);
  if (live !== undefined) return liveCell(live, row, scale);
  const run = view.runs.find(isIt);
  if (run === undefined)
    return html`<span class="cell waiting"><span class="hidden-text">${t("not run yet")}</span></span>`;
  return endedCell(context, view, { run, row, scale });
}

function endedCell(
  { actions }: Opener,
  { id }: JobView,
  { run, row, scale }: { run: Run; row: Row; scale: number },
): TemplateResult {
  const { outcome, processingTokens, round, detail } = run;
  const { word, icon: drawing } = outcomes[outcome];
  const isEvidence = outcome !== "environment" && outcome !== "cancelled";
  const against =
    row.run1 === null || outcome !== "passed"
      ? null
      : row.isCompared
        ? t("{0} vs. unchanged", difference(processingTokens / row.run1))
        : t("{0} vs. baseline", difference(processingTokens / row.run1));
  const why = detail === null ? null : saidText(detail, 200);
  const shown = isEvidence ? shortNumber(processingTokens) : outcome === "environment" ? t("env") : t("cut");
  const parts = [word, t("{0} tokens", wholeNumber(processingTokens)), against, why].filter(
    (part) => part !== null,
  );
  return html`<button
    class="cell ${outcome}"
    title=${parts.join(" · ")}
    aria-label=${t("Run {0} of {1}, {2}: {3}", round, outsideText(row.task.title, 80), shown, parts.join(", "))}
    @click=${() => actions.look({ kind: "run", id, runId: run.id, beside: null })}
  >
    <span class="what">${icon(drawing)}<span class="number">${shown}</span></span>
    ${isEvidence ? bar(processingTokens, row.run1, scale) : nothing}
  </button>`;
}

function liveCell({ turns, tool, processingTokens, elapsedMs, round }: Live, row: Row, scale: number) {
  const what = tool === null ? t("starting") : outsideText(tool, 60);
  const tokens = t("{0} tokens", wholeNumber(processingTokens));
  const spoken = [turnCount(turns), tokens, duration(elapsedMs), what].join(", ");
  return html`<span
    class="cell live"
    title=${spoken}
    role="img"
    aria-label=${t("Run {0} of {1} goes on: {2}", round, outsideText(row.task.title, 80), spoken)}
  >
    <span class="what"
      ><span class="number">${shortNumber(processingTokens)}</span
      ><span class="quiet">${t("turn {0}", turns)} · ${what}</span></span
    >
    ${bar(processingTokens, row.run1, scale)}
  </span>`;
}

/** Draws tokens relative to run1. @param run1 null before any run was completed, when there is nothing to compare with */
function bar(tokens: number, run1: number | null, scale: number): TemplateResult {
  if (run1 === null || run1 === 0) return html`<svg class="bar" aria-hidden="true"></svg>`;
  const share = Math.min(1, tokens / run1 / scale);
  const line = `${(100 / scale).toFixed(2)}%`;
  return html`<svg class="bar" aria-hidden="true">
    ${svg`<rect class="amount" y="1" height="6" rx="1.5" width=${`${(share * 100).toFixed(2)}%`} />
      <line class="run1" x1=${line} x2=${line} y1="0" y2="8" />`}
  </svg>`;
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** Moves between runs with the arrow keys, skipping cells without one. */
function moveByArrow(event: KeyboardEvent): void {
  const [down, right] = steps[event.key] ?? [0, 0];
  const { currentTarget: table, target } = event;
  if ((down === 0 && right === 0) || !(table instanceof HTMLElement) || !(target instanceof HTMLElement))
    return;
  const cells = [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td.run")]);
  let row = cells.findIndex((all) => all.some((one) => one.contains(target)));
  let column = (cells[row] ?? []).findIndex((one) => one.contains(target));
  for (;;) {
    row += down;
    column += right;
    const next = cells[row]?.[column];
    if (next === undefined) return;
    const button = next.querySelector("button");
    if (button === null) continue;
    event.preventDefault();
    button.focus();
    return;
  }
}
