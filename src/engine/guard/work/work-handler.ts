import type { SessionMemory } from "../../base/per-session.ts";
import type { AdviceFigures } from "../../hooks/advice.ts";
import type { EventNamed } from "../../hooks/event.ts";
import { defaultHookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { LedgerEntry, StateDetails } from "../../ledger/entries.ts";
import { placeIn } from "../work.ts";
import { measuresOf, type Measures, parametersOf, speechBudgetOf, type SpeechBudget } from "./measures.ts";
import { readWork, workEvents, type ReadPorts } from "./read-event.ts";
import { stepWork, type Observed, type WorkEvent } from "./step.ts";
import { noWork, workState, type WorkState } from "./work-state.ts";

export type SessionStateEntry = Extract<LedgerEntry, { kind: "session-state" }>;

/** Maximum unverified files named in the ledger. */
const maxNamed = 10;

/** Returns the ledger's entry of a turn. */
export function stateEntry(
  state: WorkState,
  about: Pick<SessionStateEntry, "sessionId" | "program" | "at"> & {
    /** The project's folder. */
    readonly root: string | null;
  },
): SessionStateEntry {
  const { root, ...rest } = about;
  const { phase, trust, focus, deadEnds } = measuresOf(state);
  const { turn, calls, errors, switches, verified, unverified, left, loop } = state;
  const { pieces, characters } = speechBudgetOf({ turn, trust, phase });
  const details: StateDetails = {
    left: left === null ? null : Math.round(left),
    loop,
    unverified: unverified
      .slice(-maxNamed)
      .reverse()
      .map((file) => placeIn(file, root) ?? file),
    ...parametersOf({ phase }),
    pieces,
    characters,
  };
  return {
    kind: "session-state",
    ...rest,
    turn,
    folder: root,
    phase,
    trust,
    focus,
    calls,
    errors,
    switches,
    deadEnds,
    edited: verified.length + unverified.length,
    verified: verified.length,
    details: JSON.stringify(details),
  };
}

type Name = (typeof workEvents)[number];

export interface WorkPorts {
  readonly memory: Pick<SessionMemory, "part">;
  /** Returns a session's context size; undefined if unknown. */
  readonly adviceOf: (sessionId: string) => Pick<AdviceFigures, "tokens" | "window"> | undefined;
  /** Returns the pattern that a session repeats; null for none. */
  readonly loopOf: (sessionId: string) => string | null;
  readonly isCheck: ReadPorts["isCheck"];
  /** Returns the project of a folder; null for none. */
  readonly rootOf: (folder: string | null) => string | null;
  /** Tests whether any guard is on or observes in sessions of a folder. */
  readonly isOn: (folder: string | null) => boolean;
  /** Records the state of a turn, in the background. */
  readonly record: (entries: readonly SessionStateEntry[]) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Number of calls after which the current turn's row is updated. */
const updateInterval = 20;

/**
 * Follows the work of each session, for guards that adapt to it. The ledger gets a row for each turn, which is written at the turn's
 * end, at a new phase and every few calls.
 */
export class SessionWork {
  readonly #ports: WorkPorts;
  readonly #states;
  readonly handler: HookHandler<Name>;

  constructor(ports: WorkPorts) {
    this.#ports = ports;
    this.#states = ports.memory.part("work", { schema: workState, empty: noWork });
    this.handler = {
      name: "work",
      events: workEvents,
      budget: 100,
      answer: (event, { program } = defaultHookContext) => {
        this.#follow(event, program);
        return null;
      },
    };
  }

  /** Returns the state of a session's work with its measures. */
  of(session: string): WorkState & Measures {
    const state = this.#states.of(session);
    return { ...state, ...measuresOf(state) };
  }

  budgetOf(session: string): SpeechBudget {
    return speechBudgetOf(this.of(session));
  }

  #follow(event: EventNamed<Name>, program: string): void {
    const folder = event.cwd ?? null;
    if (!this.#ports.isOn(folder)) return;
    const id = event.session_id;
    const root = this.#ports.rootOf(folder) ?? folder;
    const events = readWork(event, { isCheck: this.#ports.isCheck, root });
    if (events.length === 0) return;
    const before = this.#states.of(id);
    const observed = this.#observed(id);
    const after = events.reduce((state, each) => stepWork(state, each, observed), before);
    if (after !== before) this.#states.set(id, after);
    const due = dueState(before, after, events);
    if (due !== null)
      this.#ports.record([stateEntry(due, { sessionId: id, program, root, at: this.#ports.now() })]);
  }

  #observed(id: string): Observed {
    const figures = this.#ports.adviceOf(id);
    const isKnown = figures !== undefined && figures.window > 0;
    return {
      left: isKnown ? Math.max(0, 100 - (100 * figures.tokens) / figures.window) : null,
      loop: this.#ports.loopOf(id),
    };
  }
}

/** Returns the state to be recorded after an event; null for none. */
function dueState(before: WorkState, after: WorkState, events: readonly WorkEvent[]): WorkState | null {
  if (after.turn === 0) return null;
  // A turn without an end event, such as one that the user stopped, is recorded when the next turn begins.
  if (after.turn !== before.turn) return before.turn === 0 || before.isStopped ? null : before;
  if (events.some(({ kind }) => kind === "stopped")) return after;
  if (after === before) return null;
  const isNews = measuresOf(before).phase !== measuresOf(after).phase;
  return isNews || Math.floor(before.calls / updateInterval) !== Math.floor(after.calls / updateInterval)
    ? after
    : null;
}
