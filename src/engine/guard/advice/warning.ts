import * as z from "zod";
import { adviceLevels, urgency, type Advice } from "../../context/advice.ts";

/** Fill level of a session's or a subagent's context, from the latest transcript state. */
export interface AdviceFigures {
  /** Null while the window is unknown. */
  readonly advice: Advice | null;
  /** Tokens in the context, and tokens that fit. */
  readonly tokens: number;
  readonly window: number;
  /** Time of the measurement in the transcript. Milliseconds since the epoch; null when unknown. */
  readonly measuredAt: number | null;
  /** Compactions of this context so far. */
  readonly compactions: number;
  /** Folder where the session began, which selects its settings; null where unknown. */
  readonly folder: string | null;
  /** Tokens left, as the agent last reported to its model; null when it reported none. */
  readonly noteLeft: number | null;
}

/** A prompt id is cut to this length. Characters. */
const longestTurn = 200;

export const warningState = z.object({
  /** The most urgent advice since the last compaction that the agent was given. */
  told: z.enum(adviceLevels),
  /** Number of compactions at that time. */
  compactions: z.int().nonnegative(),
  wasToldInTurn: z.boolean(),
  /** The prompt of the current turn, where the agent names it. */
  turn: z.string().max(longestTurn).nullable(),
  /** Older figures are invalid: the session was resumed or compacted at this time. Milliseconds since the epoch. */
  freshFrom: z.number().nullable(),
  /** True when the agent reports the end of tool batches, so that tool calls need not be counted. */
  tellsBatches: z.boolean(),
  /** Tool calls since the figures were last checked. */
  calls: z.int().nonnegative(),
});
/** The advice an agent was given about its context, and the conditions for giving more. */
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

/** Hook event, reduced to what matters for warnings. */
export type WarningEvent =
  | { readonly kind: "turn" }
  /** Figures from before this time are no longer valid. */
  | { readonly kind: "resumed" | "compacted"; readonly at: number }
  /** A point at which the agent can be given a message. */
  | { readonly kind: "batch" | "call"; readonly turn: string | undefined };

/** Result of an event. */
export interface WarningStep {
  readonly state: WarningState;
  /** True when the figures must be checked now. */
  readonly isCheckDue: boolean;
}

/** @param every tool calls between checks of the figures, where the agent does not report batches */
export function stepWarning(state: WarningState, event: WarningEvent, every: number): WarningStep {
  switch (event.kind) {
    case "turn":
      return { state: { ...state, wasToldInTurn: false, turn: null }, isCheckDue: false };
    case "resumed":
      return { state: { ...state, wasToldInTurn: false, freshFrom: event.at }, isCheckDue: false };
    case "compacted":
      return { state: { ...state, told: "CONTINUE", freshFrom: event.at }, isCheckDue: false };
    case "batch":
      return checkUnlessWarned({ ...inTurn(state, event.turn), tellsBatches: true });
    case "call": {
      const now = inTurn(state, event.turn);
      const calls = now.calls + 1;
      if (now.tellsBatches) return { state: now, isCheckDue: false };
      return calls < every ? { state: { ...now, calls }, isCheckDue: false } : checkUnlessWarned(now);
    }
  }
}

function checkUnlessWarned(state: WarningState): WarningStep {
  return { state: { ...state, calls: 0 }, isCheckDue: !state.wasToldInTurn };
}

/** A new prompt id means a new turn, even when no event announced it. */
function inTurn(state: WarningState, promptId: string | undefined): WarningState {
  const turn = promptId?.slice(0, longestTurn);
  if (turn === undefined || turn === state.turn) return state;
  return { ...state, turn, wasToldInTurn: state.turn === null && state.wasToldInTurn };
}

/** Advice to give, and the state once it is given. */
export interface Warning {
  readonly advice: Exclude<Advice, "CONTINUE">;
  readonly state: WarningState;
}

/** Returns null where there is nothing new to say, or nothing known to hold now. @param now milliseconds since the epoch */
export function warningOf(state: WarningState, figures: AdviceFigures, now: number): Warning | null {
  const { advice, compactions, measuredAt } = figures;
  if (advice === null || advice === "CONTINUE" || state.wasToldInTurn) return null;
  // A time in the future was set by a clock that has been set back since.
  const freshFrom = state.freshFrom !== null && state.freshFrom <= now ? state.freshFrom : -Infinity;
  if (freshFrom > -Infinity && !((measuredAt ?? -Infinity) > freshFrom)) return null;
  const lastAdvice = compactions > state.compactions ? "CONTINUE" : state.told;
  if (urgency(advice) <= urgency(lastAdvice)) return null;
  return { advice, state: { ...state, told: advice, compactions, wasToldInTurn: true } };
}
