import type { Phase } from "../work.ts";
import { noWork, type WorkPhase, type WorkState } from "./work-state.ts";

/**
 * The measures of a session's work. Each depends only on the state, so that equal events give equal figures.
 *
 * **Trust**, 0 to 100: how much an agent can work without advice. 100, less
 * - 4 for each failure among the last 20 calls, at most 40: some failures are normal, ten in twenty are not;
 * - 4 for each edited file without a passed check since, at most 24: these edits may be wrong;
 * - 8 for each dead end, at most 16: an action that failed three times in the same way and has not succeeded since;
 * - 20 in a loop: its calls cost and change nothing.
 *
 * A failure never raises trust, and a passed check never lowers it. There is no bonus: good work pushes failures out of the last 20 calls
 * and verifies files.
 *
 * **Focus**, 0 to 100: how much the work stays in one place. 100, less
 * - 10 for each subsystem beyond two among the last 12 edits, at most 40: a change and its counterpart are two places, more is spread;
 * - 6 for each change of subsystem beyond two among these edits, at most 30: going back and forth, not the spread itself;
 * - 3 for each look beyond ten since the last edit or passed check, at most 30: the first ten find the place, more of them drift.
 *
 * A look never raises focus, and an edit in the subsystem of the last edit never lowers it.
 *
 * **Phase**, in this order:
 * - Late if less than 25 % of the context is left: only a compaction undoes that;
 * - Struggling in a loop, or with three failures or more among the last 12 calls that outnumber edits and passed checks;
 * - Productive with an edit or a passed check among the last six calls;
 * - Warmup before the first edit, in the first 12 calls;
 * - Exploring otherwise.
 *
 * A phase other than Late starts when two calls in a row require it, so that one call does not change thresholds.
 */
export interface Measures {
  readonly phase: Phase;
  readonly trust: number;
  readonly focus: number;
  /** Actions that failed three times in the same way and have not succeeded since. */
  readonly deadEnds: number;
}

/** Share of the context below which a session is late. Percent. */
const late = 25;
/** Number of equal failures that make an action a dead end. */
const deadEndTimes = 3;

export function measuresOf(state: WorkState): Measures {
  const deadEnds = state.failures.filter(({ times }) => times >= deadEndTimes).length;
  const isLate = state.left !== null && state.left < late;
  return {
    phase: isLate ? "Late" : state.work.phase,
    trust: trustOf(state, deadEnds),
    focus: focusOf(state),
    deadEnds,
  };
}

function trustOf({ recent, unverified, loop }: WorkState, deadEnds: number): number {
  const failed = recent.filter((call) => call.failed).length;
  return (
    100 -
    Math.min(40, 4 * failed) -
    Math.min(24, 4 * unverified.length) -
    Math.min(16, 8 * deadEnds) -
    (loop === null ? 0 : 20)
  );
}

function focusOf({ edits, looks }: WorkState): number {
  const places = new Set(edits).size;
  const changes = edits.filter((place, index) => index > 0 && place !== edits[index - 1]).length;
  return (
    100 -
    Math.min(40, 10 * Math.max(0, places - 2)) -
    Math.min(30, 6 * Math.max(0, changes - 2)) -
    Math.min(30, 3 * Math.max(0, looks - 10))
  );
}

/** Number of last calls that decide the phase: those counted for failures, and those for an edit or a passed check. */
const [troubled, productive] = [12, 6];
/** Calls of a session's beginning. */
const first = 12;

/** Returns the phase that the last calls require. */
function neededPhase({ recent, loop, calls, unverified, verified }: WorkState): WorkPhase {
  const last = recent.slice(-troubled);
  const failed = last.filter((call) => call.failed).length;
  const isProgress = ({ deed, failed: hasFailed }: WorkState["recent"][number]) =>
    !hasFailed && (deed === "edit" || deed === "check");
  if (loop !== null || (failed >= 3 && failed > last.filter(isProgress).length)) return "Struggling";
  if (last.slice(-productive).some(isProgress)) return "Productive";
  const hasEdited = unverified.length + verified.length > 0;
  return hasEdited || calls > first ? "Exploring" : "Warmup";
}

/** Number of calls in a row that must require a phase before it starts. */
const steady = 2;

/** Returns the phase after another call, given the state with that call. */
export function nextPhase(state: WorkState): WorkState["work"] {
  const { phase, next, since } = state.work;
  const needed = neededPhase(state);
  if (needed === phase) return { ...noWork.work, phase, next: phase };
  const times = needed === next ? since + 1 : 1;
  return times >= steady ? { phase: needed, next: needed, since: 0 } : { phase, next: needed, since: times };
}

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
 * - Productive: the usual thresholds and one more edit, as a productive agent checks its next step itself.
 * - Struggling: everything one step earlier, since each further attempt costs a call and rarely helps.
 * - Late: a successor cannot know of unchecked work, and reads use up the remaining context.
 */
const parameters: Readonly<Record<Phase, AdaptedParameters>> = {
  Warmup: { repeatsBeforeTelling: 3, editsBeforeTelling: 4, readsBeforeTelling: 15 },
  Exploring: { repeatsBeforeTelling: 3, editsBeforeTelling: 4, readsBeforeTelling: 15 },
  Productive: { repeatsBeforeTelling: 3, editsBeforeTelling: 5, readsBeforeTelling: 10 },
  Struggling: { repeatsBeforeTelling: 2, editsBeforeTelling: 3, readsBeforeTelling: 8 },
  Late: { repeatsBeforeTelling: 2, editsBeforeTelling: 3, readsBeforeTelling: 8 },
};

export function parametersOf({ phase }: { readonly phase: Phase }): AdaptedParameters {
  return parameters[phase];
}

/** Limits of what guards may send to a session in one turn. */
export interface SpeechBudget {
  /** Number of prompts so far. Each turn has its own budget. */
  readonly turn: number;
  /** Pieces of advice. */
  readonly pieces: number;
  /** Characters added to the agent's context. */
  readonly characters: number;
}

/** Length of a long piece of advice. Characters. */
const longPiece = 400;

/**
 * Returns what a session may receive in a turn. At full trust, it is three pieces of advice, since good work should rarely be
 * interrupted. Each 20 points of lost trust add one, since an agent in trouble gains more. The maximum is eight: more would not be read.
 * The phase Late has half the characters, since the context is scarce.
 */
export function speechBudgetOf({
  turn,
  trust,
  phase,
}: {
  readonly turn: number;
  readonly trust: number;
  readonly phase: Phase;
}): SpeechBudget {
  const pieces = 3 + Math.floor((100 - trust) / 20);
  const characters = pieces * longPiece;
  return { turn, pieces, characters: phase === "Late" ? characters / 2 : characters };
}
