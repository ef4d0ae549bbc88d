import { urgency, type Advice } from "../context/advice.ts";

/** How full a session's context is, as the transcript told it last. */
export interface AdviceFigures {
  /** Null while the window is unknown. */
  readonly advice: Advice | null;
  /** What is in the context, and what fits. Tokens. */
  readonly tokens: number;
  readonly window: number;
  /** When the transcript told it. Milliseconds since the epoch; null when that is not known. */
  readonly measuredAt: number | null;
  /** Compactions of the session so far. */
  readonly compactions: number;
  /** What the agent itself told its model last of the tokens that are left; null where it tells nothing. */
  readonly noteLeft?: number | null;
}

/** What the agent of one session was told, and what must hold before it is told more. */
export interface WarningState {
  /** The most urgent advice since the last compaction that the agent knows of. */
  readonly told: Advice;
  /** Compactions there had been when it was told. */
  readonly compactions: number;
  readonly wasToldInTurn: boolean;
  /** The prompt whose turn it is, where the agent names it. */
  readonly turn: string | undefined;
  /** Figures from before are of no use: the session was resumed or compacted then. Milliseconds since the epoch. */
  readonly freshFrom: number;
  /** The agent says when a batch of tools has ended: tool calls need not be counted. */
  readonly tellsBatches: boolean;
  /** Tool calls since the figures were looked at. */
  readonly calls: number;
}

export const noWarnings: WarningState = {
  told: "CONTINUE",
  compactions: 0,
  wasToldInTurn: false,
  turn: undefined,
  freshFrom: -Infinity,
  tellsBatches: false,
  calls: 0,
};

/** What a hook says of the time, as far as warnings go. */
export type WarningEvent =
  | { readonly kind: "turn" }
  /** What was told of the context before now holds no more. */
  | { readonly kind: "resumed" | "compacted"; readonly at: number }
  /** A point at which the agent may be told something. */
  | { readonly kind: "batch" | "call"; readonly turn: string | undefined };

/** What is to be done at an event. */
export interface WarningStep {
  readonly state: WarningState;
  /** Whether the figures are to be looked at now. */
  readonly look: boolean;
}

/** @param every where the agent does not tell of batches: at every so many tool calls the figures are looked at */
export function stepWarning(state: WarningState, event: WarningEvent, every: number): WarningStep {
  switch (event.kind) {
    case "turn":
      return { state: { ...state, wasToldInTurn: false, turn: undefined }, look: false };
    case "resumed":
      return { state: { ...state, wasToldInTurn: false, freshFrom: event.at }, look: false };
    case "compacted":
      return { state: { ...state, told: "CONTINUE", freshFrom: event.at }, look: false };
    case "batch":
      return looked({ ...inTurn(state, event.turn), tellsBatches: true });
    case "call": {
      const now = inTurn(state, event.turn);
      const calls = now.calls + 1;
      if (now.tellsBatches) return { state: now, look: false };
      return calls < every ? { state: { ...now, calls }, look: false } : looked(now);
    }
  }
}

function looked(state: WarningState): WarningStep {
  return { state: { ...state, calls: 0 }, look: !state.wasToldInTurn };
}

/** A prompt that nobody told of has begun another turn all the same. */
function inTurn(state: WarningState, turn: string | undefined): WarningState {
  if (turn === undefined || turn === state.turn) return state;
  return { ...state, turn, wasToldInTurn: state.turn === undefined && state.wasToldInTurn };
}

/** What is to be told of the figures, if anything: the advice, and how things stand once it is told. */
export interface Warning {
  readonly advice: Exclude<Advice, "CONTINUE">;
  readonly state: WarningState;
}

/** Null where there is nothing new to tell, or nothing that is known to hold now. */
export function warningOf(state: WarningState, figures: AdviceFigures): Warning | null {
  const { advice, compactions, measuredAt } = figures;
  if (advice === null || advice === "CONTINUE" || state.wasToldInTurn) return null;
  if (state.freshFrom > -Infinity && !((measuredAt ?? -Infinity) > state.freshFrom)) return null;
  const told = compactions > state.compactions ? "CONTINUE" : state.told;
  if (urgency(advice) <= urgency(told)) return null;
  return { advice, state: { ...state, told: advice, compactions, wasToldInTurn: true } };
}
