import type { HookAnswer } from "./event/hooks-answer.ts";
import type { EventNamed, HookEventName } from "./event/event.ts";
import type { HookCaller } from "./program.ts";

/** What a hook call carries besides its event. */
export interface HookContext {
  /** Agents of a team can message each other in this session. */
  readonly hasTeams: boolean;
  /** Somebody sees the agent's questions. */
  readonly isAttended: boolean;
  readonly program: HookCaller;
  /** The agent posted the event itself, and takes JSON only for an answer. */
  readonly isPosted: boolean;
  /** Aborts when the agent stops waiting. */
  readonly signal: AbortSignal;
  /** Resolves when all handlers have answered. */
  readonly answered: Promise<void>;
}

/** Defaults for an agent that reports nothing: no teams, attended, by a command, still waiting; no other handler is asked. */
export const defaultHookContext: HookContext = {
  hasTeams: false,
  isAttended: true,
  program: "claude-code",
  isPosted: false,
  signal: new AbortController().signal,
  answered: Promise.resolve(),
};

/** A handler that answers hooks of certain events. */
export interface HookHandler<Name extends HookEventName = HookEventName> {
  /** Name for the ledger and the log. */
  readonly name: string;
  readonly events: readonly Name[];
  /** Time limit for its answer. Milliseconds. */
  readonly budget: number;
  /**
   * How much longer its answer may take where the other handlers leave that time, such as while its code is loaded. 0 by default.
   * Milliseconds.
   */
  readonly patience?: number;
  /**
   * Whether it is also asked about a prompt that the agent wrote itself, since work in the background has ended. Others take every prompt
   * for a person's.
   */
  readonly hearsNotifications?: boolean;
  /**
   * Returns null, or an empty answer, when it has nothing to say. A handler that throws or is late counts as silent.
   * @param about `defaultHookContext` when nothing is reported
   */
  readonly answer: (
    event: EventNamed<Name>,
    about?: HookContext,
  ) => HookAnswer | null | Promise<HookAnswer | null>;
  /** Called where its answer came too late, or not at all. Answers at once what is known without it. */
  readonly missed?: (event: EventNamed<Name>, about: HookContext) => HookAnswer | null;
}

/** Time limit for all handlers of an event together, well below what the agent allows its hooks. Milliseconds. */
const usualTime = 3000;
const times: Partial<Record<HookEventName, number>> = {
  // All hooks of all programs share 1.5 s, which includes starting a program.
  SessionEnd: 500,
  // The agent allows 10 s, but a person is waiting to read.
  MessageDisplay: 1000,
  // The agent keeps asking its user meanwhile.
  PermissionRequest: 600_000,
};

export function timeOf(event: HookEventName): number {
  return times[event] ?? usualTime;
}
