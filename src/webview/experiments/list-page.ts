import { t } from "../../engine/base/language.ts";
import { html, type TemplateResult } from "lit";
import { percent, wholeNumber } from "../../engine/base/local-format.ts";
import type { JobSummary } from "../../engine/jobs/bench-answers.ts";
import { everyAgent, type TrialHead } from "../../engine/rules/trial-answers.ts";
import { describeTried } from "../guard/describe-trial.ts";
import {
  absentCell,
  costCell,
  link,
  numberCell,
  textCell,
  timeCell,
  column,
  extra,
  numberColumn,
} from "../components/table/table-cells.ts";
import { againstBefore } from "../components/figures.ts";
import { icon, type IconName } from "../components/icon.ts";
import { isSample } from "../components/panel-links.ts";
import { spaced } from "../components/sentences.ts";
import { stateView } from "../components/states.ts";
import { dataTable } from "../components/table/table.ts";
import type { Cell, TableRow } from "../components/table/table-rows.ts";
import type { RenderContext } from "./experiments-model.ts";
import { outside } from "../components/outside.ts";
import { decisions, jobTitle as comparisonTitle, shareAgainstBefore } from "./compare/describe-compare.ts";
import { againstRun1, isOwnBaseline, jobTitle, stateNames } from "./describe-jobs.ts";

/** Lists all experiments, whatever their kind, with a button for a new one. */
export function listPage(context: RenderContext): TemplateResult {
  const { jobs, trials } = context.model;
  if ((jobs ?? []).length + trials.length === 0) return nothingYet(context);
  return html`<header class="title">
      <div>
        <h1 tabindex="-1">${t("Experiments")}</h1>
        <p class="quiet">${what}</p>
      </div>
      <div class="buttons">
        <button class="button primary" @click=${() => context.actions.look({ kind: "form" })}>
          ${icon("beaker")}${t("New Experiment…")}
        </button>
      </div>
    </header>
    ${table(context, jobs ?? [], trials)}`;
}

const what = t("What an agent costs, and whether a change saves tokens without making it worse.");

function nothingYet({ actions }: RenderContext): TemplateResult {
  return html`<h1 class="hidden-text" tabindex="-1">${t("Experiments")}</h1>
    ${stateView({
      icon: "beaker",
      heading: t("No experiments yet"),
      text: isSample
        ? t("Nothing runs in the sample. Close it to measure your own agents.")
        : `${what} ${t("Its price is shown first; nothing runs until you start it.")}`,
      actions: [
        { label: t("New Experiment…"), run: () => actions.look({ kind: "form" }) },
        ...(isSample
          ? []
          : [{ label: t("Make Tasks from History…"), run: () => actions.ask({ type: "draftTasks" }) }]),
      ],
    })}`;
}

function table(
  context: RenderContext,
  jobs: readonly JobSummary[],
  trials: readonly TrialHead[],
): TemplateResult {
  const rows = [
    ...jobs.map((job) => ({ at: job.startedAt ?? job.at, row: jobRow(context, job) })),
    ...trials.map((trial) => ({ at: trial.startedAt, row: trialRow(context, trial) })),
  ];
  const headings = [
    column(t("Experiment")),
    extra(column(t("Kind"))),
    column(t("Result")),
    numberColumn(
      t("Tokens a run"),
      t(
        "New tokens of a completed run; tasks count by their weight. Of a comparison, the difference from the unchanged agent",
      ),
    ),
    extra(numberColumn(t("Runs"), t("Made, of the most that are made"))),
    extra(numberColumn(t("Spent (USD)"), t("At list prices"))),
    extra(numberColumn(t("Began"))),
  ];
  const newestFirst = rows.toSorted((one, other) => other.at - one.at).map(({ row }) => row);
  return dataTable({ label: t("Experiments"), headings, rows: newestFirst, most: 16 });
}

const kinds = {
  bench: t("Benchmark"),
  compare: t("Comparison"),
  select: t("Rules"),
} as const;

function jobRow({ actions, now }: RenderContext, job: JobSummary): TableRow {
  const { id, ask, at, startedAt, done, of, spent } = job;
  const agent = ask.kind === "compare" ? ask.agent : null;
  const title = titleOf(job);
  const open = () => {
    if (ask.kind === "select") actions.ask({ type: "openRules", page: "rules", agent: ask.agent });
    else actions.look({ kind: "job", id });
  };
  return {
    key: id,
    cells: [
      {
        content: () =>
          agent === null
            ? link(title, open)
            : spaced(link(title, open), html`<span class="quiet">${outside(agent, 40)}</span>`),
        sort: title,
      },
      textCell(ask.driver === "replay" ? t("{0} (demo)", kinds[ask.kind]) : kinds[ask.kind]),
      resultCell(job),
      figureCell(job),
      {
        content: () => (of === 0 ? wholeNumber(done) : t("{0} of {1}", wholeNumber(done), wholeNumber(of))),
        sort: done,
      },
      costCell({ usd: spent.usd, unpriced: 0 }, spent.tokens > 0),
      timeCell(startedAt ?? at, now),
    ],
  };
}

function titleOf(job: JobSummary): string {
  switch (job.ask.kind) {
    case "bench":
      return jobTitle(job);
    case "compare":
      return comparisonTitle(job);
    case "select":
      return t("Rules of {0}", job.ask.agent);
  }
}

/** The verdict of a finished experiment, or the state of any other. */
function resultCell({ ask, state, comparison, selection, figures }: JobSummary): Cell {
  const name = stateNames[state.kind];
  if (state.kind !== "done") return iconCell(name.icon, name.word, state.kind);
  const decision = comparison?.result?.decision;
  if (decision !== undefined)
    return iconCell(decisions[decision].icon, decisions[decision].word, decisions[decision].tone);
  const arms = comparison?.arms ?? [];
  if (arms.length > 0) {
    const better = arms.filter((arm) => arm.result?.decision === "saves").length;
    return textCell(t("{0} of {1} better", wholeNumber(better), wholeNumber(arms.length)));
  }
  if (ask.kind === "select") {
    const settled = (selection?.rules ?? []).filter(({ status }) => status !== null);
    const saving = settled.filter(({ status }) => status === "measured" || status === "active").length;
    return textCell(t("{0} of {1} worth having", wholeNumber(saving), wholeNumber(settled.length)));
  }
  const [only] = figures.length === 1 ? figures : [];
  if (only === undefined) return iconCell(name.icon, name.word, state.kind);
  const found = isOwnBaseline(only) ? t("Baseline") : againstRun1(only);
  return found === null ? iconCell(name.icon, name.word, state.kind) : textCell(found);
}

function iconCell(drawing: IconName, word: string, tone: string): Cell {
  return { content: () => html`<span class="with-icon ${tone}">${icon(drawing)}${word}</span>`, sort: word };
}

/** Tokens of a run: a benchmark's own, or a comparison's difference. */
function figureCell({ ask, figures, comparison }: JobSummary): Cell {
  if (ask.kind === "bench") {
    const [only] = figures.length === 1 ? figures : [];
    return numberCell(only?.tokens ?? null);
  }
  const result = comparison?.result ?? null;
  const saved = result?.saving?.value ?? null;
  // A regression saves nothing.
  if (result === null || saved === null || result.decision === "regression")
    return absentCell(t("Nothing to compare"));
  const share = result.savingShare;
  return {
    content: () => `${againstBefore(saved)}${share === null ? "" : ` (${shareAgainstBefore(share.value)})`}`,
    sort: saved,
  };
}

/** A trial on real work makes no runs of its own. */
function trialRow({ actions, now }: RenderContext, trial: TrialHead): TableRow {
  const { id, agent, ruleIds, startedAt, stoppedAt, sessions, planned } = trial;
  const isOfGuards = agent === everyAgent;
  const title = isOfGuards
    ? t("Guards on real work: {0}", ruleIds.map(describeTried).join(", "))
    : t("Rules of {0} on real work", agent);
  const open = () =>
    actions.ask(
      isOfGuards
        ? { type: "openRules", page: "guards", agent: null }
        : { type: "openRules", page: "trial", agent },
    );
  const state = stateNames[stoppedAt === null ? "running" : "done"];
  const share = planned === 0 ? null : percent((100 * Math.min(sessions, planned)) / planned);
  return {
    key: id,
    cells: [
      { content: () => link(title, open), sort: title },
      textCell(t("Trial on real work")),
      iconCell(state.icon, share === null ? state.word : t("{0}, {1}", state.word, share), ""),
      absentCell(t("A trial has no runs")),
      {
        content: () =>
          t("{0} of {1} sessions", wholeNumber(sessions), wholeNumber(Math.max(planned, sessions))),
        sort: sessions,
      },
      absentCell(t("A trial has no runs")),
      timeCell(startedAt, now),
    ],
  };
}
