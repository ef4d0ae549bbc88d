import type { HookAnswer } from "./event/answer.ts";
import type { EventNamed, HookEventName } from "./event/event.ts";
import type { HookProgram } from "./program.ts";

/** What a hook's call tells beside its event. */
export interface HookAbout {
  /** Agents of a team may write to each other in this session. */
  readonly hasTeams: boolean;
  /** Somebody sees what the agent asks. */
  readonly isAttended: boolean;
  readonly program: HookProgram;
  /** Aborts when the agent does not wait any more. */
  readonly signal: AbortSignal;
}

/** Of an agent that tells nothing: it has no teams, somebody sees it, and it waits. */
export const plainHook: HookAbout = {
  hasTeams: false,
  isAttended: true,
  program: "claude-code",
  signal: new AbortController().signal,
};

/** What may answer hooks of some events. */
export interface HookHandler<Name extends HookEventName = HookEventName> {
  /** For the ledger and the log. */
  readonly name: string;
  readonly events: readonly Name[];
  /** It is not waited for any longer. Milliseconds. */
  readonly budget: number;
  /**
   * Null, or an empty answer, where it has nothing to say. Should it throw or be late, it has said nothing.
   * @param about `plainHook` where nothing is told
   */
  readonly answer: (
    event: EventNamed<Name>,
    about?: HookAbout,
  ) => HookAnswer | null | Promise<HookAnswer | null>;
}

/** All handlers of an event together may take this long, well within what the agent allows its hooks. Milliseconds. */
const usualTime = 3000;
const times: Partial<Record<HookEventName, number>> = {
  // All hooks of all programs share 1.5 s, and starting a program is a part of it.
  SessionEnd: 500,
  // 10 s, and a person is waiting to read.
  MessageDisplay: 1000,
  // The agent asks its user all the while.
  PermissionRequest: 600_000,
};

export function timeOf(event: HookEventName): number {
  return times[event] ?? usualTime;
}
