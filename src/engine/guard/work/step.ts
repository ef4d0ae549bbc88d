import type { Action } from "./ended-action.ts";
import { nextPhase } from "./measures.ts";
import { cutName, limits, noWork, type ActionKind, type WorkState } from "./work-state.ts";

/** The parts of an ended call that the state of a session's work depends on. */
export interface EndedCall extends Pick<Action, "outcome" | "failure"> {
  readonly use: string | null;
  /** The same for calls of one tool on the same subject. */
  readonly key: string;
  readonly actionKind: ActionKind;
  /** The edited file; null for other actions. */
  readonly file: string | null;
  /** Whether the file is text for people, which is verified by reading it. */
  readonly isProse: boolean;
  /** The part of the project that the file belongs to; null for none. */
  readonly subsystem: string | null;
}

/** A hook's report about a session's work. */
export type WorkEvent =
  /** A prompt, or a call that begins; `prompt` is the agent's id of the prompt. */
  | { readonly kind: "prompt" | "start"; readonly prompt: string | null }
  | { readonly kind: "ended"; readonly prompt: string | null; readonly call: EndedCall }
  /** A subagent's call. Only its edited files count for the session. */
  | { readonly kind: "ended-in-subagent"; readonly call: EndedCall }
  | { readonly kind: "stopped" | "compacted" | "cleared" };

/** Facts about the session from other features, at the time of an event. */
export interface Observed {
  /** Share of the context left; null where unknown. Percent. */
  readonly left: number | null;
  /** The pattern that repeats; null for none. */
  readonly loop: string | null;
}

/** Returns the state of a session's work after an event. */
export function stepWork(state: WorkState, event: WorkEvent, observed: Observed): WorkState {
  switch (event.kind) {
    case "prompt": {
      const isTwice = event.prompt !== null && cutName(event.prompt) === state.prompt;
      return isTwice ? state : withObserved(startTurn(state, event.prompt), observed);
    }
    case "start":
      return withObserved(inTurn(state, event.prompt), observed);
    case "ended": {
      if (isKnown(state, event.call)) return state;
      const held = withObserved(withUse(inTurn(state, event.prompt), event.call), observed);
      const done = withFiles(withCall(held, event.call), event.call);
      return { ...done, work: nextPhase(done) };
    }
    case "ended-in-subagent":
      return isKnown(state, event.call) ? state : withFiles(withUse(state, event.call), event.call);
    case "stopped":
      return { ...withObserved(state, observed), isStopped: true };
    case "compacted":
      // The old share of the context is void, and files must be read again, as the agent forgot them.
      return state.left === null && state.looks === 0 ? state : { ...state, left: null, looks: 0 };
    case "cleared":
      // Turns go on: each has its own row in the ledger. Files stay edited.
      return {
        ...noWork,
        turn: state.turn,
        uses: state.uses,
        unverified: state.unverified,
        verified: state.verified,
      };
  }
}

/** Number of turns that failures are kept: the user has seen older ones. */
const turnsOfFailures = 3;

function startTurn(state: WorkState, prompt: string | null): WorkState {
  const turn = state.turn + 1;
  return {
    ...state,
    turn,
    isStopped: false,
    prompt: prompt === null ? null : cutName(prompt),
    looks: 0,
    failures: state.failures.filter((failure) => failure.turn > turn - turnsOfFailures),
  };
}

/** A new prompt's id means a new turn, even when no event announced it. */
function inTurn(state: WorkState, prompt: string | null): WorkState {
  const id = prompt === null ? null : cutName(prompt);
  if (state.turn === 0 || (id !== null && state.prompt !== null && id !== state.prompt))
    return startTurn(state, id);
  return id === null || id === state.prompt ? state : { ...state, prompt: id };
}

function withObserved(state: WorkState, { left, loop }: Observed): WorkState {
  const share = left ?? state.left;
  const pattern = loop === null ? null : cutName(loop);
  return share === state.left && pattern === state.loop ? state : { ...state, left: share, loop: pattern };
}

function isKnown({ uses }: WorkState, { use }: EndedCall): boolean {
  return use !== null && uses.includes(cutName(use));
}

function withUse(state: WorkState, { use }: EndedCall): WorkState {
  const going = state.isStopped ? { ...state, isStopped: false } : state;
  return use === null ? going : { ...going, uses: [...going.uses, cutName(use)].slice(-limits.uses) };
}

function withCall(state: WorkState, call: EndedCall): WorkState {
  const failed = call.outcome === "failed";
  const isProgress = !failed && (call.actionKind === "edit" || call.actionKind === "check");
  const place = call.actionKind === "edit" && !failed ? call.subsystem : null;
  const last = state.edits.at(-1);
  const isSwitch = place !== null && last !== undefined && cutName(place) !== last;
  return {
    ...state,
    calls: state.calls + 1,
    errors: state.errors + (failed ? 1 : 0),
    recent: [...state.recent, { deed: call.actionKind, failed }].slice(-limits.recent),
    edits: place === null ? state.edits : [...state.edits, cutName(place)].slice(-limits.edits),
    switches: state.switches + (isSwitch ? 1 : 0),
    looks: isProgress ? 0 : state.looks + (call.actionKind === "look" ? 1 : 0),
    failures: failuresAfter(state, call),
  };
}

function failuresAfter({ failures, turn }: WorkState, call: EndedCall): WorkState["failures"] {
  const action = cutName(call.key);
  // If an agent does not report failures, none is known to be resolved.
  if (call.outcome === "unknown") return failures;
  if (call.outcome === "succeeded") return failures.filter((each) => each.action !== action);
  const failure = cutName(call.failure ?? "");
  const isSame = (each: WorkState["failures"][number]) => each.action === action && each.failure === failure;
  const times = (failures.find(isSame)?.times ?? 0) + 1;
  const all = [...failures.filter((each) => !isSame(each)), { action, failure, times, turn }];
  if (all.length <= limits.failures) return all;
  // Dead ends are dropped last: a failure must not raise trust.
  const minTimes = Math.min(...all.slice(0, -1).map((each) => each.times));
  const dropped = all.findIndex((each) => each.times === minTimes);
  return all.filter((_, index) => index !== dropped);
}

function withFiles(state: WorkState, { actionKind, file, isProse, outcome }: EndedCall): WorkState {
  if (outcome === "failed") return state;
  if (actionKind === "check")
    return state.unverified.length === 0
      ? state
      : { ...state, unverified: [], verified: merged(state.verified, state.unverified) };
  if (actionKind !== "edit" || file === null) return state;
  const held = [cutName(file)];
  const without = (files: readonly string[]) => files.filter((each) => each !== held[0]);
  return isProse
    ? { ...state, unverified: without(state.unverified), verified: merged(state.verified, held) }
    : { ...state, unverified: merged(state.unverified, held), verified: without(state.verified) };
}

/** Adds files to a list, the newest last. */
function merged(files: readonly string[], more: readonly string[]): string[] {
  return [...files.filter((file) => !more.includes(file)), ...more].slice(-limits.files);
}
