import type { Phase } from "../work.ts";

/** Thresholds of other guards in a session's phase. */
export interface AdaptedParameters {
  /** Number of equal failures of an action, or of repeats of a pattern, before advice is sent. */
  readonly repeatsBeforeTelling: number;
  /** Number of unchecked edits before advice is sent. */
  readonly editsBeforeTelling: number;
  /** Number of reads in a row without an edit before advice is sent. */
  readonly readsBeforeTelling: number;
}

/**
 * - Warmup and Exploring: reading is the work, so more reads are allowed.
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
