/** What hooks report about sessions. */
import { Emitter, type Disposable } from "../base/events.ts";
import { cleanText, cutMiddle } from "../base/text.ts";
import type { Chain } from "./live/chain.ts";
import { sentence, type Sentence } from "../base/language.ts";

export const activityStates = ["starting", "working", "waiting", "compacting", "failed", "ended"] as const;
type ActivityState = (typeof activityStates)[number];

/** Current activity of a session, as last reported by its hooks. */
export interface Activity {
  readonly state: ActivityState;
  /** Start time of the state. Milliseconds since the epoch. */
  readonly at: number;
  /** Why the last turn failed, in the agent's own terms. */
  readonly error: string | null;
  /** The agent's message at the end of its last turn. Cleaned and short. */
  readonly lastMessage: string | null;
}

export interface ReportedContext {
  readonly at: number;
  /** Tokens. */
  readonly tokens: number;
  /** True when the last answer is included; otherwise the tokens are the occupancy. */
  readonly isCarried: boolean;
  readonly source: Sentence;
}

interface ReportedSubagent {
  readonly type: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

interface ReportedCompaction {
  /** The compaction's transcript row is dated after this time. */
  readonly since: number;
  readonly at: number;
}

/** If only a compaction's end was reported, its row may be this much older. Milliseconds. */
const maxCompactionTime = 10 * 60_000;
const maxSubagents = 200;
const maxMessageLength = 200;
const maxWordLength = 60;

/** State of one session folded from hook reports. Newer transcript rows take precedence: see `live-context.ts`. */
export class HookSession {
  readonly id: string;
  /** Time of the last report. Milliseconds since the epoch. */
  at = -Infinity;
  cwd: string | null = null;
  transcript: string | null = null;
  activity: Activity | null = null;
  model: { readonly name: string; readonly at: number } | null = null;
  context: ReportedContext | null = null;
  /** Window the agent itself measures against. */
  window: { readonly tokens: number; readonly model: string | null } | null = null;
  planLimits: readonly PlanLimit[] = [];
  cache: (PromptCache & { readonly at: number }) | null = null;
  readonly subagents = new Map<string, ReportedSubagent>();
  #compactingSince: number | null = null;
  /** The session's activity before the last announced compaction. */
  #beforeCompacting: Activity | null = null;
  #compactions: ReportedCompaction[] = [];

  constructor(id: string) {
    this.id = id;
  }

  apply({ at, cwd, transcript, event }: SessionReport): void {
    this.at = Math.max(this.at, at);
    this.cwd = cwd ?? this.cwd;
    this.transcript = transcript ?? this.transcript;
    switch (event.kind) {
      case "began":
        if (event.how === "compact") this.#compacted(at, this.#compactingSince !== null);
        else this.#setActivity("starting", at);
        this.#named(event.model, at);
        this.#carries(event.carried, at, sentence("what the agent said when the session was resumed"));
        break;
      case "prompted":
        this.#setActivity("working", at);
        break;
      case "switched":
        this.#named(event.model, at);
        this.#carries(event.carried, at, sentence("what the agent said when its model was changed"));
        break;
      case "compacting":
        this.#compactingSince = at;
        if (this.activity?.state !== "compacting") this.#beforeCompacting = this.activity;
        this.#setActivity("compacting", at);
        break;
      case "compacted":
        this.#compacted(at, true);
        break;
      case "subagent-began":
        this.#subagentBegan(event.agentId, event.type, at);
        break;
      case "subagent-ended": {
        const held = this.subagents.get(event.agentId);
        // The agent's internal helpers end without a reported start: they are not subagents.
        if (held !== undefined) this.subagents.set(event.agentId, { ...held, endedAt: at });
        // One of them writes the summary. An idle session may not use it for an hour, or at all.
        else if (this.activity?.state === "compacting") this.activity = this.#beforeCompacting;
        break;
      }
      case "stopped":
        this.#setActivity("waiting", at, { lastMessage: short(event.message, maxMessageLength) });
        break;
      case "failed": {
        const details = {
          error: short(event.error, maxWordLength),
          lastMessage: short(event.message, maxMessageLength),
        };
        this.#setActivity("failed", at, details);
        break;
      }
      case "ended":
        this.#setActivity("ended", at);
        break;
      case "measured":
        this.#measured(event, at);
        break;
    }
  }

  /**
   * Returns the session's present activity. An announced compaction may never be reported as finished: it counts as
   * finished once the transcript continues, or after the maximum duration of a compaction.
   *
   * @param now milliseconds since the epoch
   */
  activityNow(main: Chain, now: number): Activity | null {
    const { activity } = this;
    if (activity?.state !== "compacting") return activity;
    const rows = [main.last?.at, main.compactions.at(-1)?.compaction.at];
    const isOver = rows.some((at) => (at ?? -Infinity) > activity.at);
    return isOver || Math.abs(now - activity.at) > maxCompactionTime ? this.#beforeCompacting : activity;
  }

  /** Number of subagents with a reported start and no reported end. */
  get running(): number {
    return [...this.subagents.values()].filter(({ endedAt }) => endedAt === null).length;
  }

  /**
   * Returns the main chain's compactions without a row so far. Once a row or a later response has come, the rows count.
   */
  pendingCompactions(main: Chain): readonly { readonly at: number }[] {
    const { last, compactions } = main;
    const latest = compactions.at(-1);
    const row = latest === undefined ? -Infinity : (latest.compaction.at ?? Infinity);
    const response = last?.at ?? -Infinity;
    return this.#compactions.filter(({ since, at }) => since > row && at > response);
  }

  #setActivity(state: ActivityState, at: number, details: Partial<Activity> = {}): void {
    const lastMessage = state === "working" || state === "compacting" ? this.activity?.lastMessage : null;
    this.activity = { state, at, error: null, lastMessage: lastMessage ?? null, ...details };
  }

  #named(name: string | null, at: number): void {
    if (name !== null && name !== "") this.model = { name: name.slice(0, 200), at };
  }

  #carries(tokens: number | null, at: number, source: Sentence): void {
    if (tokens !== null && tokens > 0) this.context = { at, tokens, isCarried: true, source };
  }

  #compacted(at: number, isMain: boolean): void {
    // Older agents do not report which agent was compacted; while subagents work, only the transcript shows it.
    if (isMain && this.running === 0) {
      const since = this.#compactingSince ?? at - maxCompactionTime;
      const last = this.#compactions.at(-1);
      // Two hooks report the same compaction: its own, and the start of the work after it.
      if (last === undefined || this.#compactingSince !== null || at - last.at > maxCompactionTime)
        this.#compactions = [...this.#compactions.slice(-9), { since, at }];
    }
    this.#compactingSince = null;
    // A session that waits for a person still waits afterwards: it was idle, or the person requested the compaction.
    if (this.activity?.state === "compacting") this.activity = this.#beforeCompacting;
    if (this.activity === null) this.#setActivity("working", at);
  }

  #subagentBegan(id: string, type: string | null, at: number): void {
    this.subagents.delete(id);
    this.subagents.set(id, { type: short(type, maxWordLength), startedAt: at, endedAt: null });
    const [oldest] = this.subagents.keys();
    if (this.subagents.size > maxSubagents && oldest !== undefined) this.subagents.delete(oldest);
  }

  #measured(
    {
      model,
      window,
      occupancy,
      source,
      planLimits,
      cache,
    }: Extract<SessionReport["event"], { kind: "measured" }>,
    at: number,
  ): void {
    this.#named(model, at);
    if (planLimits.length > 0) this.planLimits = planLimits;
    if (cache !== null) this.cache = { ...cache, at };
    if (window !== null && window > 0) this.window = { tokens: window, model };
    if (occupancy !== null && occupancy > 0)
      this.context = { at, tokens: occupancy, isCarried: false, source };
  }
}

function short(text: string | null, length: number): string | null {
  const cleaned = text === null ? "" : cleanText(text.slice(0, 10 * length));
  return cleaned === "" ? null : cutMiddle(cleaned, length);
}

/** Maximum number. Beyond it, the session with the oldest last report is dropped. */
const maxSessions = 200;

/** Sessions as reported by hooks, shared by all views. */
export class HookSessions implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #sessions = new Map<string, HookSession>();

  apply(report: SessionReport): void {
    const { sessionId } = report;
    const session = this.#sessions.get(sessionId) ?? new HookSession(sessionId);
    session.apply(report);
    // Keeps the most recently reported session last.
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    this.#changes.fire();
  }

  of(id: string): HookSession | undefined {
    return this.#sessions.get(id);
  }

  all(): HookSession[] {
    return [...this.#sessions.values()];
  }

  dispose(): void {
    this.#changes.dispose();
  }
}

/** Session event reported by the agent's hooks or status line. It arrives at once; transcript rows follow later. */
export type SessionEvent =
  | {
      readonly kind: "began";
      /** In the agent's own terms: `startup`, `resume`, `clear`, `compact`, `fork`. */
      readonly how: string | null;
      readonly model: string | null;
      /** Tokens the next request carries, the last answer included; null when not reported. */
      readonly carried: number | null;
    }
  | { readonly kind: "prompted" }
  | { readonly kind: "switched"; readonly model: string | null; readonly carried: number | null }
  | { readonly kind: "compacting" }
  | { readonly kind: "compacted" }
  | {
      readonly kind: "subagent-began" | "subagent-ended";
      readonly agentId: string;
      readonly type: string | null;
    }
  | { readonly kind: "stopped"; readonly message: string | null }
  | { readonly kind: "failed"; readonly error: string | null; readonly message: string | null }
  | { readonly kind: "ended" }
  | {
      /** The agent's own figures. */
      readonly kind: "measured";
      readonly model: string | null;
      /** Tokens. */
      readonly window: number | null;
      /** Tokens the last request put into the window; null before the first, and after a compaction until the next. */
      readonly occupancy: number | null;
      /** Where the agent reports them, in words. */
      readonly source: Sentence;
      readonly planLimits: readonly PlanLimit[];
      /** Null when not reported. */
      readonly cache: PromptCache | null;
    };

/** The cached context, as reported by the agent. */
export interface PromptCache {
  readonly isWarm: boolean;
  /** Cached for an hour, not for five minutes. */
  readonly isLong: boolean;
  /** Milliseconds since the epoch; null when not reported. */
  readonly expiresAt: number | null;
  /** Tokens that the next call writes again if the cache is cold. */
  readonly tokens: number;
}

/** Used share of a plan's limit, as reported by the agent's API. */
export interface PlanLimit {
  /** The agent's own name for it. */
  readonly name: string;
  /** From 0 up; more than 100 where a limit can be passed. */
  readonly usedPercent: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number | null;
  /** Set only for a spending limit. */
  readonly usedUsd: number | null;
  readonly limitUsd: number | null;
  /** The agent's own name for the period. */
  readonly period: string | null;
}

export interface SessionReport {
  readonly sessionId: string;
  /** Time of receipt. Milliseconds since the epoch. */
  readonly at: number;
  /** Path of the session's transcript, which may not exist yet. Null when not reported. */
  readonly transcript: string | null;
  readonly cwd: string | null;
  readonly event: SessionEvent;
}
