import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";
import type { JobView } from "../../engine/jobs/bench-answers.ts";
import { isResumable, isUnderWay } from "../../engine/jobs/compare-answers.ts";
import { jobProgress } from "../components/charts/bar.ts";
import { icon } from "../components/icon.ts";
import { outside, outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { backButton, banner, notice } from "../components/states.ts";
import { moment } from "../components/times.ts";
import {
  driverName,
  preparingText,
  replayNotice,
  resumeLabel,
  stateNames,
  stateReason,
} from "./describe-jobs.ts";
import type { RenderContext } from "./experiments-model.ts";
import type { ExportFormat } from "./experiments-protocol.ts";
import { planFacts } from "./form/plan-facts.ts";

/** What a kind of experiment shows of a job. Texts may be templates. */
interface JobContent {
  readonly title: string;
  readonly recordedBy: readonly string[];
  /** After its state. */
  readonly facts: readonly unknown[];
  /** Beside what it ran with. */
  readonly about: unknown;
  readonly formats: readonly ExportFormat[];
  /** Its progress, for screen readers. */
  readonly progress: string;
  readonly planAgain: (() => void) | null;
  readonly found: unknown;
  readonly grid: TemplateResult;
  readonly runsNote: string;
  readonly further: TemplateResult;
  readonly planNote: string;
}

/** The page of a started experiment: its state, what was found, its runs and its plan. */
export function jobPage(context: RenderContext, view: JobView, content: JobContent): TemplateResult {
  const { state, ask, tasks, plan } = view;
  const label = replayNotice(ask.driver, content.recordedBy);
  const reason = stateReason(state);
  const resume = { label: resumeLabel(view), run: () => context.actions.resume(view.id) };
  return html`<div class="top">
      ${header(context, view, content)} ${label === null ? nothing : notice(label)}
      ${reason === null ? nothing : banner(outsideText(reason, 600), isResumable(state) ? resume : null)}
    </div>
    ${content.found}
    ${
      tasks.length === 0
        ? html`<p class="quiet">
            ${isUnderWay(state) ? t("The copy of the project is being made ready.") : t("No run was made.")}
          </p>`
        : html`<purser-section heading=${t("Runs")} note=${content.runsNote}>${content.grid}</purser-section>`
    }
    ${content.further}
    ${
      plan === null
        ? nothing
        : html`<purser-section heading=${t("Plan")} note=${content.planNote}
            >${planFacts(plan)}</purser-section
          >`
    }`;
}

function header(context: RenderContext, view: JobView, content: JobContent): TemplateResult {
  const { actions, now } = context;
  const { state, ask, at, startedAt } = view;
  const { word, icon: drawing } = stateNames[state.kind];
  return html`<header class="title">
      <div>
        ${backButton(t("Experiments"), t("Back to Experiments (Escape)"), () => actions.back())}
        <h1 tabindex="-1">${outside(content.title, 90)}</h1>
        <div class="state-line quiet number">
          <span class="with-icon ${state.kind}">${icon(drawing)}${word}</span>
          ${content.facts.map((fact) => (fact === nothing ? nothing : html`<span>${fact}</span>`))}
          <span>${driverName(ask.driver)} · ${moment(startedAt ?? at, now)}</span>
          ${content.about === nothing ? nothing : html`<span>${content.about}</span>`}
        </div>
      </div>
      <div class="buttons">
        ${content.formats.map(
          (format) =>
            html`<button class="button" @click=${() => actions.export(view.id, format)}>
              ${icon("export")}${format === "json" ? t("Export JSON") : t("Export Markdown")}
            </button>`,
        )}
        ${mainAction(context, view, content.planAgain)}
      </div>
    </header>
    ${progressBar(view, content.progress)}`;
}

/** How many runs are in progress: none ends in the first minutes. */
export function underWay({ live }: Pick<JobView, "live">): string | typeof nothing {
  return live.length === 0 ? nothing : t("{0} under way", wholeNumber(live.length));
}

/** The main button of a job: it cancels, resumes or replans the job. */
function mainAction(
  { actions, model }: RenderContext,
  view: JobView,
  planAgain: (() => void) | null,
): TemplateResult | typeof nothing {
  const { id, state } = view;
  if (isUnderWay(state))
    return html`<button
      class="button"
      ?disabled=${state.kind === "cancelling" || model.isBusy}
      @click=${() => actions.cancel(id)}
    >
      ${icon("stop")}${state.kind === "cancelling" ? t("Cancelling…") : t("Cancel")}
    </button>`;
  // The banner with the reason has its own button.
  if (isResumable(state) && stateReason(state) === null)
    return html`<button class="button primary" ?disabled=${model.isBusy} @click=${() => actions.resume(id)}>
      ${icon("play")}${resumeLabel(view)}
    </button>`;
  if (planAgain === null) return nothing;
  return html`<button class="button" @click=${planAgain}>${icon("beaker")}${t("Run Again…")}</button>`;
}

/** Shows how far a job is: the packages that its first run waits for, or its runs. @param label of the runs */
function progressBar(view: JobView, label: string): TemplateResult | typeof nothing {
  const { state, done, of, live, preparing } = view;
  if (!isUnderWay(state)) return nothing;
  const text = preparingText(view);
  if (text !== null && preparing !== undefined)
    return html`<div>
      <p class="quiet number">${text}</p>
      ${jobProgress({ done: preparing.fetched, live: 0, of: preparing.packages, label: text })}
    </div>`;
  return of === 0 ? nothing : jobProgress({ done, live: live.length, of, label });
}
