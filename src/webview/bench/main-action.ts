import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { isResumable, isUnderWay } from "../../engine/jobs/compare-answers.ts";
import type { JobView } from "../../engine/jobs/bench-answers.ts";
import { icon } from "../components/icon.ts";
import { resumeLabel, stateReason } from "./describe-bench.ts";

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
