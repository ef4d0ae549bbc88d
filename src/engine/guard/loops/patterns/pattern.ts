import type { Step } from "../step.ts";

/** A pattern that repeats at the end of a chain of actions. */
export interface Pattern {
  readonly steps: readonly Step[];
  /** Actions after which it begins again. */
  readonly period: number;
}

/** Returns the steps since the last one that may have changed something, other than those that the caller leaves out. */
export function sinceChange(
  steps: readonly Step[],
  isLeftOut: (step: Step) => boolean = () => false,
): readonly Step[] {
  const at = steps.findLastIndex((each) => each.effect === "change" && !isLeftOut(each));
  return steps.slice(at + 1);
}
