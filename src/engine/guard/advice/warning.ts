import * as z from "zod";
import { adviceLevels, urgency, type Advice } from "../../context/advice.ts";

/** How full a context is, a session's or one of its subagents', as its transcript told it last. */
export interface AdviceFigures {
  /** Null while the window is unknown. */
  readonly advice: Advice | null;
  /** What is in the context, and what fits. Tokens. */
  readonly tokens: number;
  readonly window: number;
  /** When the transcript told it. Milliseconds since the epoch; null when that is not known. */
  readonly measuredAt: number | null;
  /** Compactions of this context so far. */
  readonly compactions: number;
  /** Where the session began, by which settings hold for it; null where that is not known. */
  readonly place?: string | null;
  /** What the agent itself told its model last of the tokens that are left; null where it tells nothing. */
  readonly noteLeft?: number | null;
}

/** More of what an agent calls a prompt tells nothing more. Characters. */
const longestTurn = 200;

export const warningState = z.object({
  /** The most urgent advice since the last compaction that the agent knows of. */
  told: z.enum(adviceLevels),
  /** Compactions there had been when it was told. */
  compactions: z.int().nonnegative(),
  wasToldInTurn: z.boolean(),
  /** The prompt whose turn it is, where the agent names it. */
  turn: z.string().max(longestTurn).nullable(),
  /** Figures from before are of no use: the session was resumed or compacted then. Milliseconds since the epoch. */
  freshFrom: z.number().nullable(),
  /** The agent says when a batch of tools has ended: tool calls need not be counted. */
  tellsBatches: z.boolean(),
  /** Tool calls since the figures were looked at. */
  calls: z.int().nonnegative(),
});
/** What an agent was told of its context, and what must hold before it is told more. */
export type WarningState = Readonly<z.infer<typeof warningState>>;

export const noWarnings: WarningState = {
  told: "CONTINUE",
  compactions: 0,
  wasToldInTurn: false,
  turn: null,
  freshFrom: null,
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
      return { state: { ...state, wasToldInTurn: false, turn: null }, look: false };
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
function inTurn(state: WarningState, told: string | undefined): WarningState {
  const turn = told?.slice(0, longestTurn);
  if (turn === undefined || turn === state.turn) return state;
  return { ...state, turn, wasToldInTurn: state.turn === null && state.wasToldInTurn };
}

/** What is to be told of the figures, if anything: the advice, and how things stand once it is told. */
export interface Warning {
  readonly advice: Exclude<Advice, "CONTINUE">;
  readonly state: WarningState;
}

/** Null where there is nothing new to tell, or nothing that is known to hold now. @param now milliseconds since the epoch */
export function warningOf(state: WarningState, figures: AdviceFigures, now: number): Warning | null {
  const { advice, compactions, measuredAt } = figures;
  if (advice === null || advice === "CONTINUE" || state.wasToldInTurn) return null;
  // A moment that has not come yet was told by a clock that has been set back since.
  const freshFrom = state.freshFrom !== null && state.freshFrom <= now ? state.freshFrom : -Infinity;
  if (freshFrom > -Infinity && !((measuredAt ?? -Infinity) > freshFrom)) return null;
  const told = compactions > state.compactions ? "CONTINUE" : state.told;
  if (urgency(advice) <= urgency(told)) return null;
  return { advice, state: { ...state, told: advice, compactions, wasToldInTurn: true } };
}
