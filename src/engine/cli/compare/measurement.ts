import type { Prepared } from "../../compare/prepare.ts";
import type { Measured, showPlan } from "./run-compare.ts";

export interface MeasuredComparison {
  readonly plan: Parameters<typeof showPlan>[0];
  readonly prepared: Prepared;
  readonly measured: Measured;
  /** The file a winning rewrite was written to. */
  readonly proposal: string | null;
}
