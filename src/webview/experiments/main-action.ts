import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { isResumable, isUnderWay } from "../../engine/jobs/compare-answers.ts";
import type { JobView, BenchChoices } from "../../engine/jobs/bench-answers.ts";
import { icon } from "../components/icon.ts";
import { jobProgress } from "../components/charts/bar.ts";
import { describeInstall, preparingText, resumeLabel, stateReason } from "./describe-jobs.ts";
import { said } from "../components/outside.ts";
import { notice } from "../components/states.ts";

interface Part {
  readonly actions: { cancel(id: string): void; resume(id: string): void };
  readonly model: { readonly isBusy: boolean };
}

/** The main button of a job: it cancels, resumes or replans the job. @param planAgain null if this panel cannot plan the job */
export function mainAction(
  { actions, model }: Part,
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
export function progressBar(view: JobView, label: string): TemplateResult | typeof nothing {
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

/**
 * Explains what is missing when no agent can run, and offers the recordings instead. Shows nothing if any agent is ready:
 * then the others are not needed. @param tryIt chooses the recordings; null if they are already chosen
 */
export function missingAgents(
  drivers: BenchChoices["drivers"],
  tryIt: (() => void) | null,
): TemplateResult | typeof nothing {
  const agents = drivers.filter(({ name }) => name !== "replay");
  if (agents.some(({ isReady }) => isReady)) return nothing;
  const canTry = tryIt !== null && drivers.some(({ name, isReady }) => name === "replay" && isReady);
  const reasons = agents.flatMap(({ problem }) => problem ?? []);
  return html`<div class="banner">
    ${icon("warning")}
    <p>${t("No agent is ready.")} ${reasons.map((reason) => html`${said(reason, 240)}. `)}</p>
    ${
      canTry
        ? html`<button type="button" class="button" @click=${tryIt}>
            ${t("Try with Recordings (Demo)")}
          </button>`
        : nothing
    }
  </div>`;
}

/** Says what is downloaded when the plan is started; nothing if it is there already. */
export function installNotice({ install }: NonNullable<JobView["plan"]>): TemplateResult | typeof nothing {
  return install === null ? nothing : notice(describeInstall(install));
}
