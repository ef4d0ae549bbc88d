import type { Phase } from "./phase.ts";

/** Thresholds of other guards, as the phase of a session asks for them. */
export interface AdaptedParameters {
  /** Times that one action fails in the same way, or a pattern repeats, before the agent is told. */
  readonly repeatsBeforeTelling: number;
  /** Edits without a check before the agent is told. */
  readonly editsBeforeTelling: number;
  /** Reads in a row without an edit before the agent is told. */
  readonly readsBeforeTelling: number;
}

/**
 * - Warmup and Exploring: reading is the work, so more reads are let pass.
 * - Productive: the usual thresholds, and an edit more, as an agent in its stride checks its next step itself.
 * - Struggling: everything a step earlier, since each further attempt costs a call and rarely helps.
 * - Late: what is not checked now is handed to a successor that cannot know of it, and reads displace what is left.
 */
const parameters: Readonly<Record<Phase, AdaptedParameters>> = {
  Warmup: { repeatsBeforeTelling: 3, editsBeforeTelling: 4, readsBeforeTelling: 15 },
  Exploring: { repeatsBeforeTelling: 3, editsBeforeTelling: 4, readsBeforeTelling: 15 },
  Productive: { repeatsBeforeTelling: 3, editsBeforeTelling: 5, readsBeforeTelling: 10 },
  Struggling: { repeatsBeforeTelling: 2, editsBeforeTelling: 3, readsBeforeTelling: 8 },
  Late: { repeatsBeforeTelling: 2, editsBeforeTelling: 3, readsBeforeTelling: 8 },
};

/** Returns the thresholds for a session in this state. */
export function parametersOf({ phase }: { readonly phase: Phase }): AdaptedParameters {
  return parameters[phase];
}
