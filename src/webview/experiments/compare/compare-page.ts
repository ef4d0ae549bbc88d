import { html, nothing, type TemplateResult } from "lit";
import { aboutDollars, shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";
import {
  isUnderWay,
  type CompareAsk,
  type CompareView,
  type InterimVerdict,
} from "../../../engine/jobs/compare-answers.ts";
import type { JobView } from "../../../engine/jobs/bench-answers.ts";
import { jobPage, underWay } from "../job-page.ts";
import { runGrid } from "../runs/run-grid.ts";
import { notes as jobNotes } from "../describe-jobs.ts";
import { icon } from "../../components/icon.ts";
import { outside } from "../../components/outside.ts";
import "../../components/section.ts";
import { runsOfAtMost, verdictSentence } from "../../components/sentences.ts";
import type { RenderContext } from "../experiments-model.ts";
import { armsSections } from "./arms-table.ts";
import { differencesSection } from "./differences.ts";
import { askFacts } from "./ask-facts.ts";
import { sidesTable } from "./sides-table.ts";
import {
  armsSentence,
  decisions,
  endSentence,
  headlineOf,
  jobTitle,
  notes,
  soFar,
} from "./describe-compare.ts";
import { absentCell, numberCell, column, numberColumn, extra } from "../../components/table/table-cells.ts";
import { tableToggle, type Heading, dataTable } from "../../components/table/table.ts";
import { differencePlot } from "../../components/charts/difference-plot.ts";
import { againstBefore } from "../../components/figures.ts";

/** Shows one comparison: its verdict, its state, its evidence, and its runs. */
export function comparePage(context: RenderContext, view: JobView, ask: CompareAsk): TemplateResult {
  const { actions } = context;
  const { done, of } = view;
  const comparison = view.comparison ?? null;
  const result = comparison?.result ?? null;
  const all = comparison?.arms ?? [comparison];
  const looks = Math.max(0, ...all.map((each) => each?.looks.length ?? 0));
  return jobPage(context, view, {
    title: jobTitle(view),
    recordedBy: result?.recordedBy ?? view.recordedBy,
    facts: [
      of === 0 ? nothing : runsOfAtMost(done, of),
      underWay(view),
      looks === 0
        ? nothing
        : plural(looks, t("1 round looked at"), t("{0} rounds looked at", wholeNumber(looks))),
      describeSpent(view),
    ],
    about: outside(ask.agent, 40),
    formats: all.some((each) => (each?.result ?? null) !== null) ? ["markdown", "json"] : [],
    progress: t("Runs made: {0} of at most {1}", done, of),
    planAgain: () => actions.planAgain(ask),
    found: html`${verdict(view, comparison)}
    ${result === null ? nothing : differencesSection(context, result)}
    ${result === null ? nothing : html`<purser-section heading=${t("Both sides")} note=${notes.sides}>${sidesTable(result)}</purser-section>`}
    ${comparison?.arms === undefined ? nothing : armsSections(context, comparison.arms)}
    ${comparison === null ? nothing : looksSection(context, comparison.looks)}`,
    grid: runGrid(
      { actions: { look: ({ id, runId }) => openRun(context, view, { id, runId }) } },
      madeRounds(view),
    ),
    runsNote: notes.runs,
    further: html`<purser-section heading=${t("What is compared")} note="">${askFacts(ask)}</purser-section>`,
    planNote: jobNotes.comparisonPlan,
  });
}

function describeSpent({ ask, spent, plan }: JobView): string {
  if (ask.driver === "replay") return t("free");
  const usd = spent.usd === null ? t("unknown price") : aboutDollars(spent.usd);
  const tokens =
    plan === null
      ? t("{0} tokens", shortNumber(spent.tokens))
      : t("{0} of at most ~{1} tokens", shortNumber(spent.tokens), shortNumber(plan.tokens));
  return `${tokens} · ${usd}`;
}

/** Shows the verdict in one sentence, or the state of the comparison. */
function verdict({ state }: JobView, comparison: CompareView | null): TemplateResult | typeof nothing {
  const result = comparison?.result ?? null;
  if (result !== null) {
    const { word, icon: drawing, tone } = decisions[result.decision];
    const headline = headlineOf(result);
    return html`<div class="verdict ${tone}">
      <span class="with-icon ${tone}">${icon(drawing)}${word}</span>
      ${headline === null ? nothing : html`<p class="one"><span class="number">${headline}</span></p>`}
      <p class="sentence">${outside(verdictSentence(result), 900)}</p>
      ${result.decision === "undecided" ? nothing : html`<p class="quiet">${outside(endSentence(result), 400)}</p>`}
    </div>`;
  }
  if (comparison?.arms?.some(({ looks }) => looks.length > 0) === true) {
    const isBetter = comparison.arms.some((arm) => arm.result?.decision === "saves");
    return html`<div class="verdict ${isBetter ? "good" : "open"}">
      <p class="sentence number">${outside(armsSentence(comparison.arms), 700)}</p>
    </div>`;
  }
  const last = comparison?.looks.at(-1);
  if (last === undefined)
    return isUnderWay(state)
      ? html`<p class="sentence quiet">${t("No result yet; waiting for round 1.")}</p>`
      : nothing;
  return html`<div class="verdict open"><p class="sentence number">${soFar(last)}</p></div>`;
}

/** Leaves out future rounds: a comparison ends as soon as it is decided. */
function madeRounds(view: JobView): JobView {
  const rounds = Math.max(1, ...[...view.runs, ...view.live].map(({ round }) => round));
  return { ...view, rounds };
}

/** Opens a run, with the same round of the other side beside it: of several changes, of the unchanged one. */
function openRun(
  { actions }: RenderContext,
  { runs, sides }: JobView,
  { id, runId }: { id: string; runId: string },
): void {
  const run = runs.find((one) => one.id === runId);
  const hashOf = (side: number) => sides[side]?.hash;
  const other = runs.find(
    (one) => one.taskId === run?.taskId && one.round === run.round && hashOf(one.side) !== hashOf(run.side),
  );
  actions.look({ kind: "run", id, runId, beside: other === undefined ? null : { id, runId: other.id } });
}

const label = t(
  "New tokens of a completed run with the change, compared with the unchanged agent, after each round",
);

/** Shows how the interval narrowed, round by round. A single interim verdict is already in the sentence above. */
function looksSection(
  { tables, actions }: RenderContext,
  looks: readonly InterimVerdict[],
): TemplateResult | typeof nothing {
  if (looks.length < 2) return nothing;
  const key = "looks";
  const isTable = tables.has(key);
  const rows = looks.map(({ round, saving }, index) => ({
    name: t("Round {0}", round),
    saved: saving,
    why: t("nothing is comparable yet"),
    flag: null,
    isWhole: index === looks.length - 1,
  }));
  return html`<purser-section heading=${t("Round by round")} note=${notes.looks}>
    <div slot="actions">${tableToggle(isTable, t("round by round"), () => actions.toggleTable(key))}</div>
    ${isTable ? verdictTable(looks) : differencePlot(label, rows)}
  </purser-section>`;
}

function verdictTable(looks: readonly InterimVerdict[]): TemplateResult {
  const headings: Heading[] = [
    column(t("Round")),
    column(t("Stands")),
    numberColumn(t("Difference"), label),
    numberColumn(t("From")),
    numberColumn(t("To")),
    numberColumn(t("Runs to a decision"), t("Expected, as things looked")),
    extra(numberColumn(t("Tokens so far"))),
  ];
  const rows = looks.map(({ round, decision, saving, moreRuns, tokens }) => ({
    key: String(round),
    cells: [
      { content: () => wholeNumber(round), sort: round },
      { content: () => decisions[decision].word, sort: decision },
      ...[saving?.value, saving?.high, saving?.low].map((value) =>
        value === undefined
          ? absentCell(t("Nothing to compare yet"))
          : { content: () => againstBefore(value), sort: -value },
      ),
      moreRuns === null
        ? absentCell(t("More runs would not decide it"))
        : { content: () => `~${wholeNumber(moreRuns)}`, sort: moreRuns },
      numberCell(tokens),
    ],
  }));
  return dataTable({ label: t("Round by round"), headings, rows, most: 14 });
}
