import * as z from "zod/mini";
import type { Disposable, Acquired } from "../base/events.ts";
import type { ContextNow, SessionView } from "../sessions/live.ts";
import type { ViewConfiguration } from "../sessions/session-requests.ts";
import { adviceLevels, urgency, type Advice } from "../sessions/advice.ts";

/** Fill level of a session's or a subagent's context, from the latest transcript state. */
export interface AdviceFigures {
  /** Null while the window is unknown. */
  readonly advice: Advice | null;
  readonly tokens: number;
  readonly window: number;
  /** Time of the measurement in the transcript. Milliseconds since the epoch; null when unknown. */
  readonly measuredAt: number | null;
  /** Compactions of this context so far. */
  readonly compactions: number;
  /** Folder where the session started, which selects its settings. Null if unknown. */
  readonly folder: string | null;
  /** Tokens left, as the agent last reported to its model. Null if it reported none. */
  readonly noteLeft: number | null;
}

export const warningState = z.object({
  /** The most urgent advice sent to the agent since the last compaction. */
  told: z.enum(adviceLevels),
  compactions: z.int().check(z.nonnegative()),
  /** Older figures are invalid: the session was resumed or compacted at this time. Milliseconds since the epoch. */
  freshFrom: z.nullable(z.number()),
  /** True when the agent reports the end of tool batches, so that tool calls need not be counted. */
  tellsBatches: z.boolean(),
  /** Tool calls since the figures were last checked. */
  calls: z.int().check(z.nonnegative()),
});
/** The advice an agent was given about its context, and the conditions for giving more. */
export type WarningState = Readonly<z.infer<typeof warningState>>;

export const noWarnings: WarningState = {
  told: "CONTINUE",
  compactions: 0,
  freshFrom: null,
  tellsBatches: false,
  calls: 0,
};

/** Hook event, reduced to what matters for warnings. */
export type WarningEvent =
  /** Figures from before this time are no longer valid. */
  | { readonly kind: "resumed" | "compacted"; readonly at: number }
  /** A point at which the agent can be given a message. */
  | { readonly kind: "batch" | "call" };

interface WarningStep {
  readonly state: WarningState;
  readonly isCheckDue: boolean;
}

/** @param every tool calls between checks of the figures, where the agent does not report batches */
export function stepWarning(state: WarningState, event: WarningEvent, every: number): WarningStep {
  switch (event.kind) {
    case "resumed":
      return { state: { ...state, freshFrom: event.at }, isCheckDue: false };
    case "compacted":
      return { state: { ...state, told: "CONTINUE", freshFrom: event.at }, isCheckDue: false };
    case "batch":
      return check({ ...state, tellsBatches: true });
    case "call": {
      const calls = state.calls + 1;
      if (state.tellsBatches) return { state, isCheckDue: false };
      return calls < every ? { state: { ...state, calls }, isCheckDue: false } : check(state);
    }
  }
}

/** A turn may be long enough to pass both thresholds, so the first warning does not end the checks. */
function check(state: WarningState): WarningStep {
  return { state: { ...state, calls: 0 }, isCheckDue: true };
}

interface Warning {
  readonly advice: Exclude<Advice, "CONTINUE">;
  readonly state: WarningState;
}

/**
 * Returns null if there is nothing new to send, or no current figure.
 * @param now milliseconds since the epoch
 */
export function warningOf(state: WarningState, figures: AdviceFigures, now: number): Warning | null {
  const { advice, compactions, measuredAt } = figures;
  if (advice === null || advice === "CONTINUE") return null;
  // A time in the future was set by a clock that has been set back since.
  const freshFrom = state.freshFrom !== null && state.freshFrom <= now ? state.freshFrom : -Infinity;
  if (freshFrom > -Infinity && !((measuredAt ?? -Infinity) > freshFrom)) return null;
  const lastAdvice = compactions > state.compactions ? "CONTINUE" : state.told;
  if (urgency(advice) <= urgency(lastAdvice)) return null;
  return { advice, state: { ...state, told: advice, compactions } };
}

type View = Acquired<{ readonly view: Pick<SessionView, "contextNow"> }>;

interface Views {
  view(configuration: ViewConfiguration): View;
}

/**
 * Provides how full a context is, in the service's own views. Uses the folders and environment of the last
 * window, otherwise its own.
 */
export class HookAdvice implements Disposable {
  readonly #views: Views;
  readonly #defaults: ViewConfiguration;
  #window: ViewConfiguration | undefined;
  #acquired: readonly View[] = [];

  constructor(views: Views, defaults: ViewConfiguration) {
    this.#views = views;
    this.#defaults = defaults;
  }

  setWindow({ roots, env, folders }: ViewConfiguration): void {
    const before = this.#acquired;
    // Reduced to what windows send, so that both share a view.
    this.#window = { roots, env, folders };
    // Borrows before disposing, so that sources in both keep being read.
    this.#acquired = before.length === 0 ? [] : this.#acquire();
    for (const view of before) view.dispose();
  }

  /** Returns undefined if unknown. */
  readonly of = (sessionId: string, agentId?: string): AdviceFigures | undefined => {
    if (this.#acquired.length === 0) this.#acquired = this.#acquire();
    for (const { item } of this.#acquired) {
      const now = item.view.contextNow(sessionId, agentId);
      if (now !== undefined) return figuresOf(now);
    }
    return undefined;
  };

  dispose(): void {
    for (const view of this.#acquired) view.dispose();
    this.#acquired = [];
  }

  #acquire(): View[] {
    const configurations = this.#window === undefined ? [this.#defaults] : [this.#window, this.#defaults];
    return configurations.map((configuration) => this.#views.view(configuration));
  }
}

function figuresOf({ occupancy, window, ...rest }: ContextNow): AdviceFigures | undefined {
  if (occupancy.value === null || window.value === null) return undefined;
  return { ...rest, tokens: occupancy.value, window: window.value };
}
