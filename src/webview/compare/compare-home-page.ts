import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import type { JobSummary } from "../../engine/jobs/bench-answers.ts";
import { agentsOf } from "../../engine/jobs/compare-answers.ts";
import { driverName, stateNames } from "../bench/describe-bench.ts";
import {
  absentCell,
  costCell,
  link,
  textCell,
  timeCell,
  column,
  numberColumn,
  extra,
} from "../components/table/table-cells.ts";
import { outside } from "../components/outside.ts";
import { icon } from "../components/icon.ts";
import { skeleton, stateView, notice, backButton } from "../components/states.ts";
import type { RenderContext, Actions } from "./compare-model.ts";
import { againstBefore } from "../components/figures.ts";
import { filled } from "../components/sentences.ts";
import { askTitle, decisions, jobTitle, shareAgainstBefore } from "./describe-compare.ts";
import "../components/section.ts";
import { dataTable } from "../components/table/table.ts";

/** Lists comparisons, with a button for a new one. */
export function homePage(context: RenderContext): TemplateResult {
  const { jobs } = context.model;
  if (jobs === null) return skeleton();
  const draft = draftNotice(context);
  if (jobs.length === 0) return html`${draft}${nothingYet(context)}`;
  return html`<header class="title">
      <div>
        <h1 tabindex="-1">${t("Compare")}</h1>
        <p class="quiet">${what}</p>
      </div>
      <div class="buttons">
        <button class="button primary" @click=${() => context.actions.pick()}>
          ${icon("compare")}${t("New Comparison…")}
        </button>
      </div>
    </header>
    ${draft}
    <purser-section heading=${t("Comparisons")} note="">${jobTable(context, jobs)}</purser-section>`;
}

const what = t(
  "Two configurations of an agent on the same golden tasks, everything else held constant: which uses fewer tokens without getting worse.",
);

/** Leads back to a plan that was left before it was started. */
function draftNotice({ model, actions }: RenderContext): TemplateResult | typeof nothing {
  const { ask } = model.kept;
  if (ask === null) return nothing;
  return notice(filled(t("Not started yet: {0}"), outside(askTitle(ask), 120)), [
    { label: t("Continue Plan"), run: () => actions.choose(ask) },
    { label: t("Discard"), run: () => actions.discard() },
  ]);
}

function nothingYet({ actions }: RenderContext): TemplateResult {
  return html`<h1 class="hidden-text" tabindex="-1">${t("Compare")}</h1>
    ${stateView({
      icon: "compare",
      heading: t("No comparisons yet"),
      text: `${what} ${t("Its plan and price are shown first; nothing runs until you confirm.")}`,
      actions: [{ label: t("New Comparison…"), run: () => actions.pick() }],
    })}`;
}

function jobTable({ actions, now }: RenderContext, jobs: readonly JobSummary[]): TemplateResult {
  const rows = jobs.map((job) => {
    const { id, ask, state, at, startedAt, done, of, spent, comparison } = job;
    const { word, icon: drawing } = stateNames[state.kind];
    const title = jobTitle(job);
    const result = comparison?.result ?? null;
    const found = result === null ? null : decisions[result.decision];
    // A regression saves nothing.
    const saved = result?.decision === "regression" ? null : (result?.saving?.value ?? null);
    const share = result?.savingShare ?? null;
    const arms = comparison?.arms ?? [];
    const better = arms.filter((arm) => arm.result?.decision === "saves").length;
    const figure =
      saved === null
        ? absentCell(t("Nothing to compare"))
        : {
            content: () =>
              `${againstBefore(saved)}${share === null ? "" : ` (${shareAgainstBefore(share.value)})`}`,
            sort: saved,
          };
    return {
      key: id,
      cells: [
        { content: () => link(title, () => actions.look({ kind: "comparison", id })), sort: title },
        textCell(agentsOf(ask).join(", ")),
        arms.length > 0 && state.kind === "done"
          ? textCell(t("{0} of {1} better", better, arms.length))
          : found === null
            ? { content: () => html`<span class="with-icon">${icon(drawing)}${word}</span>`, sort: word }
            : {
                content: () =>
                  html`<span class="with-icon ${found.tone}">${icon(found.icon)}${found.word}</span>`,
                sort: found.word,
              },
        figure,
        { content: () => (of === 0 ? `${done}` : t("{0} of {1}", done, of)), sort: done },
        textCell(ask.driver === "replay" ? t("Replay") : driverName(ask.driver)),
        costCell({ usd: spent.usd, unpriced: 0 }, spent.tokens > 0),
        timeCell(startedAt ?? at, now),
      ],
    };
  });
  const headings = [
    column(t("Comparison")),
    column(t("Agent")),
    column(t("Result")),
    numberColumn(t("Tokens a run"), t("New tokens of a completed run, compared with the unchanged agent")),
    extra(numberColumn(t("Runs"), t("Made, of the most that are made"))),
    extra(column(t("Run with"))),
    extra(numberColumn(t("Spent (USD)"), t("At list prices"))),
    extra(numberColumn(t("Began"))),
  ];
  return dataTable({ label: t("Comparisons"), headings, rows, most: 12 });
}

export function backTo(actions: Actions): TemplateResult {
  return backButton(t("Compare"), t("Back to Compare (Escape)"), () => actions.back());
}
