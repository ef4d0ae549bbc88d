import { cleanText, cutMiddle } from "../../base/text/text.ts";
import type { Chain } from "../sessions/chain.ts";
import type { PlanLimit, ToldNews } from "./news.ts";

export const activityStates = ["starting", "working", "waiting", "compacting", "failed", "ended"] as const;
export type ActivityState = (typeof activityStates)[number];

/** Current activity of a session, as last reported by its hooks. */
export interface Activity {
  readonly state: ActivityState;
  /** Start time of the state. Milliseconds since the epoch. */
  readonly at: number;
  /** Why the last turn failed, in the agent's own word. */
  readonly error: string | null;
  /** The agent's message at the end of its last turn. Cleaned and short. */
  readonly lastMessage: string | null;
}

export interface ToldContext {
  readonly at: number;
  /** Tokens. */
  readonly tokens: number;
  /** True when the last answer is included; otherwise the tokens are the occupancy. */
  readonly isCarried: boolean;
  readonly source: string;
}

export interface ToldSubagent {
  readonly type: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

interface ToldCompaction {
  /** The compaction's transcript row is dated after this time. */
  readonly since: number;
  readonly at: number;
}

/** Where only a compaction's end was reported, its row may be this much older. Milliseconds. */
const longestCompaction = 10 * 60_000;
const mostSubagents = 200;
const longestMessage = 200;
const longestWord = 60;

/** State of one session folded from hook reports. Newer transcript rows take precedence: see `live-context.ts`. */
export class ToldSession {
  readonly id: string;
  /** Time of the last report. Milliseconds since the epoch. */
  at = -Infinity;
  cwd: string | null = null;
  transcript: string | null = null;
  activity: Activity | null = null;
  model: { readonly name: string; readonly at: number } | null = null;
  context: ToldContext | null = null;
  /** Window the agent itself measures against. */
  window: { readonly tokens: number; readonly model: string | null } | null = null;
  planLimits: readonly PlanLimit[] = [];
  readonly subagents = new Map<string, ToldSubagent>();
  #compactingSince: number | null = null;
  #compactions: ToldCompaction[] = [];

  constructor(id: string) {
    this.id = id;
  }

  hear({ at, cwd, transcript, news }: ToldNews): void {
    this.at = Math.max(this.at, at);
    this.cwd = cwd ?? this.cwd;
    this.transcript = transcript ?? this.transcript;
    switch (news.kind) {
      case "began":
        if (news.how === "compact") this.#compacted(at, this.#compactingSince !== null);
        else this.#is("starting", at);
        this.#named(news.model, at);
        this.#carries(news.carried, at, "what the agent said when the session was resumed");
        break;
      case "prompted":
        this.#is("working", at);
        break;
      case "switched":
        this.#named(news.model, at);
        this.#carries(news.carried, at, "what the agent said when its model was changed");
        break;
      case "compacting":
        this.#compactingSince = at;
        this.#is("compacting", at);
        break;
      case "compacted":
        this.#compacted(at, true);
        break;
      case "subagent-began":
        this.#subagentBegan(news.agentId, news.type, at);
        break;
      case "subagent-ended": {
        const held = this.subagents.get(news.agentId);
        // The agent's internal helpers end without ever having begun: they are no subagents.
        if (held !== undefined) this.subagents.set(news.agentId, { ...held, endedAt: at });
        break;
      }
      case "stopped":
        this.#is("waiting", at, { lastMessage: short(news.message, longestMessage) });
        break;
      case "failed": {
        const said = {
          error: short(news.error, longestWord),
          lastMessage: short(news.message, longestMessage),
        };
        this.#is("failed", at, said);
        break;
      }
      case "ended":
        this.#is("ended", at);
        break;
      case "measured":
        this.#measured(news, at);
        break;
    }
  }

  /** Number of subagents reported to have begun and not to have ended. */
  get running(): number {
    return [...this.subagents.values()].filter(({ endedAt }) => endedAt === null).length;
  }

  /** Returns the main chain's compactions that no row shows yet. Once a row does, or a later response has come, the rows count. */
  pendingCompactions(main: Chain): readonly { readonly at: number }[] {
    const { last, compactions } = main;
    const latest = compactions.at(-1);
    const row = latest === undefined ? -Infinity : (latest.compaction.at ?? Infinity);
    const response = last?.at ?? -Infinity;
    return this.#compactions.filter(({ since, at }) => since > row && at > response);
  }

  #is(state: ActivityState, at: number, said: Partial<Activity> = {}): void {
    const lastMessage = state === "working" || state === "compacting" ? this.activity?.lastMessage : null;
    this.activity = { state, at, error: null, lastMessage: lastMessage ?? null, ...said };
  }

  #named(name: string | null, at: number): void {
    if (name !== null && name !== "") this.model = { name: name.slice(0, 200), at };
  }

  #carries(tokens: number | null, at: number, source: string): void {
    if (tokens !== null && tokens > 0) this.context = { at, tokens, isCarried: true, source };
  }

  #compacted(at: number, isMain: boolean): void {
    // Older agents do not report whose compaction it is; while subagents work, only the transcript knows.
    if (isMain && this.running === 0) {
      const since = this.#compactingSince ?? at - longestCompaction;
      const last = this.#compactions.at(-1);
      // Two hooks report the same compaction: its own, and the beginning of what follows it.
      if (last === undefined || this.#compactingSince !== null || at - last.at > longestCompaction)
        this.#compactions = [...this.#compactions.slice(-9), { since, at }];
    }
    this.#compactingSince = null;
    this.#is("working", at);
  }

  #subagentBegan(id: string, type: string | null, at: number): void {
    this.subagents.delete(id);
    this.subagents.set(id, { type: short(type, longestWord), startedAt: at, endedAt: null });
    const [oldest] = this.subagents.keys();
    if (this.subagents.size > mostSubagents && oldest !== undefined) this.subagents.delete(oldest);
  }

  #measured(
    { model, window, occupancy, planLimits }: Extract<ToldNews["news"], { kind: "measured" }>,
    at: number,
  ): void {
    this.#named(model, at);
    if (planLimits.length > 0) this.planLimits = planLimits;
    if (window !== null && window > 0) this.window = { tokens: window, model };
    const source = "the agent's status line";
    if (occupancy !== null && occupancy > 0)
      this.context = { at, tokens: occupancy, isCarried: false, source };
  }
}

function short(text: string | null, length: number): string | null {
  const cleaned = text === null ? "" : cleanText(text.slice(0, 10 * length));
  return cleaned === "" ? null : cutMiddle(cleaned, length);
}
