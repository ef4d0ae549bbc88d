import type { SuiteOffer } from "../../../engine/jobs/bench-answers.ts";
import type { Model, RenderContext } from "../experiments-model.ts";
import type { ExperimentForm } from "./form.ts";

/** What each part of the form is rendered from. */
export interface FormPart {
  readonly context: RenderContext;
  readonly offers: NonNullable<Model["choices"]>;
  readonly form: ExperimentForm;
  /** The chosen suite. */
  readonly offer: SuiteOffer;
}
