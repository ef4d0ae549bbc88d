import type { Phase } from "../work.ts";
import { noWork, type WorkPhase, type WorkState } from "./work-state.ts";

/**
 * The measures of a session's work, each a formula of its state alone, so that the same events always give the same figures.
 *
 * **Trust**, 0 to 100: how far an agent's work can be left to itself. 100, less
 * - 4 for each failure among the last 20 calls, at most 40: some failures are part of the work, ten in twenty are none;
 * - 4 for each edited file without a passed check since, at most 24: these edits may be wrong;
 * - 8 for each dead end, at most 16: an action that failed three times in the same way, and has not succeeded since, is not understood;
 * - 20 while a loop goes on: its calls cost and change nothing.
 *
 * So a failure never raises trust, and a passed check never lowers it. There is no bonus: good work pushes failures out of the last 20 calls
 * and verifies files.
 *
 * **Focus**, 0 to 100: whether the work stays in one place. 100, less
 * - 10 for each subsystem beyond two among the last 12 edits, at most 40: a change and its counterpart are two places, more is spread;
 * - 6 for each change of subsystem beyond two among these edits, at most 30: going back and forth, not the spread itself;
 * - 3 for each look beyond ten since the last edit or passed check, at most 30: the first ten find the place, more of them drift.
 *
 * So a look never raises focus, and an edit where the last edit was never lowers it.
 *
 * **Phase**, in this order:
 * - Late where less than 25 % of the context is left, and only there: nothing but a compaction undoes that;
 * - Struggling in a loop, or with three failures or more among the last 12 calls that outnumber edits and passed checks;
 * - Productive with an edit or a passed check among the last six calls;
 * - Warmup before the first edit, in the first 12 calls;
 * - Exploring otherwise.
 *
 * A phase but Late takes hold once two calls in a row ask for it, so that one call does not turn thresholds over.
 */
export interface Measures {
  readonly phase: Phase;
  readonly trust: number;
  readonly focus: number;
  /** Actions that failed three times in the same way and have not succeeded since. */
  readonly deadEnds: number;
}

/** Share of the context left below which a session is late. Percent. */
const late = 25;
/** Failures of one action in the same way that make it a dead end. */
const hopeless = 3;

export function measuresOf(state: WorkState): Measures {
  const deadEnds = state.failures.filter(({ times }) => times >= hopeless).length;
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

/** Returns the phase that the last calls ask for. */
function askedPhase({ recent, loop, calls, unverified, verified }: WorkState): WorkPhase {
  const last = recent.slice(-troubled);
  const failed = last.filter((call) => call.failed).length;
  const isProgress = ({ deed, failed: hasFailed }: WorkState["recent"][number]) =>
    !hasFailed && (deed === "edit" || deed === "check");
  if (loop !== null || (failed >= 3 && failed > last.filter(isProgress).length)) return "Struggling";
  if (last.slice(-productive).some(isProgress)) return "Productive";
  const hasEdited = unverified.length + verified.length > 0;
  return hasEdited || calls > first ? "Exploring" : "Warmup";
}

/** Calls in a row that must ask for a phase before it takes hold. */
const steady = 2;

/** Returns the phase after another call, given the state with that call. */
export function nextPhase(state: WorkState): WorkState["work"] {
  const { phase, next, since } = state.work;
  const asked = askedPhase(state);
  if (asked === phase) return { ...noWork.work, phase, next: phase };
  const times = asked === next ? since + 1 : 1;
  return times >= steady ? { phase: asked, next: asked, since: 0 } : { phase, next: asked, since: times };
}
