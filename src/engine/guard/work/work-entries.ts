import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import type { StateDetails } from "../../ledger/entries/session-states.ts";
import { measuresOf } from "./measures.ts";
import { parametersOf } from "./parameters.ts";
import { speechBudgetOf } from "./speech-budget.ts";
import type { WorkState } from "./work-state.ts";
import { placeIn } from "./subsystem.ts";

export type SessionStateEntry = Extract<LedgerEntry, { kind: "session-state" }>;

/** Unverified files that are named in the ledger. */
const mostNamed = 10;

/** Makes the ledger's entry of a turn. */
export function stateEntry(
  state: WorkState,
  {
    sessionId,
    program,
    root,
    at,
  }: {
    readonly sessionId: string;
    readonly program: string;
    /** The project's folder. */
    readonly root: string | null;
    /** Milliseconds since the epoch. */
    readonly at: number;
  },
): SessionStateEntry {
  const { phase, trust, focus, deadEnds } = measuresOf(state);
  const { turn, calls, errors, switches, verified, unverified, left, loop } = state;
  const { pieces, characters } = speechBudgetOf({ turn, trust, phase });
  const details: StateDetails = {
    left: left === null ? null : Math.round(left),
    loop,
    unverified: unverified
      .slice(-mostNamed)
      .reverse()
      .map((file) => placeIn(file, root) ?? file),
    ...parametersOf({ phase }),
    pieces,
    characters,
  };
  return {
    kind: "session-state",
    sessionId,
    turn,
    at,
    program,
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
