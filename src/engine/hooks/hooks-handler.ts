import * as z from "zod/mini";
import type { HookAnswer } from "./event/hooks-answer.ts";
import type { EventNamed, HookEventName } from "./event/event.ts";
import type { HookCaller } from "./program.ts";
import { sha256Hex } from "../base/hash.ts";
import type { PerSession, SessionMemory } from "../base/per-session.ts";

export interface HookContext {
  /** Agents of a team can message each other in this session. */
  readonly hasTeams: boolean;
  readonly isAttended: boolean;
  readonly program: HookCaller;
  /** The agent posted the event itself, and takes JSON only for an answer. */
  readonly isPosted: boolean;
  /** Aborts when the agent stops waiting. */
  readonly signal: AbortSignal;
  /** Resolves when all handlers have answered. */
  readonly answered: Promise<void>;
}

/**
 * Defaults for an agent that reports nothing: no teams, attended, by a command, still waiting, and no other
 * handler asked.
 */
export const defaultHookContext: HookContext = {
  hasTeams: false,
  isAttended: true,
  program: "claude-code",
  isPosted: false,
  signal: new AbortController().signal,
  answered: Promise.resolve(),
};

export interface HookHandler<Name extends HookEventName = HookEventName> {
  readonly name: string;
  readonly events: readonly Name[];
  /** Time limit for its answer. Milliseconds. */
  readonly budget: number;
  /**
   * Additional time for an answer if the other handlers leave it, such as while code is loaded. 0 by default.
   * Milliseconds.
   */
  readonly patience?: number;
  /**
   * Whether it also handles prompts that the agent wrote itself because background work ended. Other handlers
   * take every prompt for a person's.
   */
  readonly hearsNotifications?: boolean;
  /**
   * Returns null, or an empty answer, if there is nothing to add. A handler that throws or is late counts as
   * silent.
   * @param about `defaultHookContext` if the agent reports nothing
   */
  readonly answer: (
    event: EventNamed<Name>,
    about?: HookContext,
  ) => HookAnswer | null | Promise<HookAnswer | null>;
  /** Called after a late or failed answer. Returns at once what is known without it. */
  readonly missed?: (event: EventNamed<Name>, about: HookContext) => HookAnswer | null;
}

/** Time limit for all handlers of an event together, well below what the agent allows its hooks. Milliseconds. */
const usualTime = 3000;
const times: Partial<Record<HookEventName, number>> = {
  // All hooks of all programs share 1.5 s, which includes starting a program.
  SessionEnd: 500,
  // The agent allows 10 s, but a person is waiting to read.
  MessageDisplay: 1000,
  // Meanwhile the agent keeps asking its user.
  PermissionRequest: 600_000,
};

export function timeOf(event: HookEventName): number {
  return times[event] ?? usualTime;
}

/** Minimum time between two reports of the same problem. Milliseconds. */
const pause = 60_000;
/** More than there are kinds of problems; some kinds contain names from outside. */
const maxKinds = 100;

/** Reports each kind of problem at most once a minute, as hooks come by the hundred. */
export class RepeatedProblems {
  readonly #report: (message: string) => void;
  readonly #now: () => number;
  readonly #reported = new Map<string, { at: number; more: number }>();

  constructor(report: (message: string) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  /** @param kind problems of the same kind count as repetitions */
  add(kind: string, message: string): void {
    const now = this.#now();
    const reported = this.#reported.get(kind);
    // A clock that was set back must not keep problems silent.
    if (reported !== undefined && Math.abs(now - reported.at) < pause) {
      reported.more += 1;
      return;
    }
    if (this.#reported.size >= maxKinds) this.#reported.clear();
    this.#reported.set(kind, { at: now, more: 0 });
    this.#report(
      reported === undefined || reported.more === 0
        ? message
        : `${message} (and ${reported.more} times before)`,
    );
  }
}

/** Maximum recipients per session. Beyond it, the one notified longest ago is dropped. */
const maxRecipients = 200;
/** Longer texts are stored as their hash. Characters. */
const maxLength = 200;

const text = z.string().check(z.maxLength(maxLength));
const notifications = z.array(z.object({ who: text, what: text })).check(z.maxLength(maxRecipients));

/** Stores the last notification of each recipient in a session, so that it is sent once. */
export class NotificationMemory {
  readonly #notified: PerSession<z.infer<typeof notifications>>;

  /** @param name key under which it is stored */
  constructor(memory: Pick<SessionMemory, "part">, name: string) {
    this.#notified = memory.part(name, { schema: notifications, empty: [] });
  }

  /** Returns whether `what` differs from the last notification to `who`, and stores it. */
  isNew(session: string, who: string, what: string): boolean {
    const now = { who: shortened(who), what: shortened(what) };
    const held = this.#notified.of(session);
    // Keeps the most recently notified recipient last.
    const others = held.filter((each) => each.who !== now.who);
    this.#notified.set(session, [...others, now].slice(-maxRecipients));
    return !held.some((each) => each.who === now.who && each.what === now.what);
  }
}

function shortened(long: string): string {
  return long.length <= maxLength ? long : sha256Hex(long);
}
