import { isZero, type Counters } from "../../usage/api-response.ts";
import type { Origin } from "../agent-session.ts";
import { joined } from "../row-values.ts";
import type { Moment } from "./rollout-row.ts";
import type { TokenCount, UsageRow, SessionMeta } from "./codex-row-schema.ts";
import { countersOf, rawOf, TotalCounter } from "./total-counter.ts";

/** Codex writes copied history at once; a response of its own takes longer. Milliseconds. */
const copyTime = 1000;

/**
 * Separates a session's own lines from those repeated from its parent. The repeated lines depend on the version, and on
 * how the session began: a fork of 0.169 repeats nothing, a subagent repeats its parent's turns, and older versions
 * repeat everything, with new timestamps.
 */
export class Lineage {
  id: string;
  parentId: string | null = null;
  isSubagent = false;
  /** The role given to a subagent, or the kind of Codex's own subagent, such as `review`; null when unknown. */
  role: string | null = null;
  /** The name Codex gave to a subagent; null when unknown. */
  nickname: string | null = null;
  #known = false;
  #startOrdinal: number | null = null;
  #startAt: number | null = null;
  #turn: string | null = null;

  constructor(id: string) {
    this.id = id;
  }

  /**
   * Reads a meta line. The first is the session's own; a later one may be repeated from its parent. Returns whether it is
   * the session's own.
   */
  meta(meta: SessionMeta, at: number | null): boolean {
    if (this.#known) return (meta.id ?? null) === this.id;
    this.#known = true;
    this.id = meta.id ?? this.id;
    const spawn = meta.source?.subagent.thread_spawn;
    this.parentId = meta.forked_from_id ?? meta.parent_thread_id ?? spawn?.parent_thread_id ?? null;
    this.isSubagent = (meta.source ?? null) !== null;
    this.role = spawn?.agent_role ?? spawn?.agent_type ?? meta.source?.subagent.kind ?? null;
    this.nickname = spawn?.agent_nickname ?? null;
    this.#startOrdinal = meta.subagent_history_start_ordinal ?? null;
    this.#startAt = at;
    return true;
  }

  turn(id: string): void {
    this.#turn = id;
  }

  originOf({ ordinal, at }: { ordinal: number | null; at: number | null }): Origin {
    if (this.parentId === null) return "own";
    if (this.#startOrdinal !== null && ordinal !== null)
      return ordinal < this.#startOrdinal ? "copied" : "own";
    if (this.#turn !== null && isTimed(this.#turn) && isTimed(this.id))
      return this.#turn.toLowerCase() < this.id.toLowerCase() ? "copied" : "own";
    const isAtOnce = at !== null && this.#startAt !== null && Math.abs(at - this.#startAt) < copyTime;
    return isAtOnce ? "copied" : "unsure";
  }
}

/** Whether an id is a UUID of version 7: these begin with their time, so later ones sort after earlier ones. */
function isTimed(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/iu.test(id);
}

export interface CountedResponse {
  /** Its key in the API; null when only the growth of a total shows it. */
  readonly responseId: string | null;
  /** The same in every file that holds the response; null for a copy without an id. */
  readonly key: string | null;
  /** The total and last usage of a `token_count`, the same in a copy as in its original; null for other lines. */
  readonly pair: string | null;
  readonly origin: Origin;
  readonly counters: Counters;
  /** The counters as they were reported: its own, or the total that grew. */
  readonly raw: Counters;
  readonly countedBy: CountedBy;
  /** Tokens in the context before it, as Codex counts them. */
  readonly held: number | null;
}

/** A response's own figure is exact; the growth of a total is what was added since the line before. */
export type CountedBy = "record" | "last-usage" | "growth";

export interface ReadCount {
  /** Null for a line repeated unchanged, and wherever responses have lines of their own. */
  readonly response: CountedResponse | null;
  /** Codex's own figure for the context, where the line belongs to no response: after a compaction, or when it is full. */
  readonly estimate: number | null;
}

const promptTypes: ReadonlySet<string> = new Set(["user_message", "task_started", "turn_started"]);
const answerTypes: ReadonlySet<string> = new Set(["agent_message", "agent_reasoning"]);

/**
 * Counts each response of a rollout once. Where the sources disagree, the first of these that exists is used:
 * 1. `token_usage_record` (0.153.4 and later), from its first line on;
 * 2. `last_token_usage` of a `token_count` line;
 * 3. the growth of that line's total.
 */
export class ResponseCounter {
  /** Tokens in the context, as Codex counts them; null when none were reported. */
  used: number | null = null;
  readonly #lineage: Lineage;
  readonly #total = new TotalCounter();
  readonly #responses = new Set<string>();
  readonly #pairs = new Map<string, number>();
  /** Events since the last `token_count` with usage of its own. */
  #since = { prompted: false, answered: false };

  constructor(lineage: Lineage) {
    this.#lineage = lineage;
  }

  event(type: string): void {
    if (promptTypes.has(type)) this.#since = { prompted: true, answered: false };
    else if (answerTypes.has(type)) this.answered();
  }

  answered(): void {
    this.#since.answered = true;
  }

  /** Reads a `token_usage_record`. Null for a repeated one. */
  record({ thread_id: thread, response_id: id, usage }: UsageRow): CountedResponse | null {
    const isOwn = (thread ?? this.#lineage.id) === this.#lineage.id;
    const held = this.used;
    if (isOwn) this.used = usage.total_tokens ?? held;
    if (this.#responses.has(id)) return null;
    this.#responses.add(id);
    return {
      responseId: id,
      key: joined("codex", id),
      pair: null,
      origin: isOwn ? "own" : "copied",
      counters: countersOf(usage),
      raw: rawOf(usage),
      countedBy: "record",
      held,
    };
  }

  /** Reads a `token_count`. */
  count({ info }: TokenCount, moment: Moment): ReadCount {
    if (info === null || info === undefined) return { response: null, estimate: null };
    const { total_token_usage: total, last_token_usage: last = null } = info;
    const pair = JSON.stringify([rawOf(total), last === null ? null : rawOf(last)]);
    // An older line may be written again at any time; its context is not the present one either.
    if (this.#total.isRepeated({ total, last })) {
      if (!this.#total.canStartOver({ total, last }, this.#since)) return { response: null, estimate: null };
      this.#total.startOver();
    }
    this.#since = { prompted: false, answered: false };
    const isFull = isZero(countersOf(total)) && (total.total_tokens ?? 0) > 0;
    const held = this.used;
    this.used = isFull ? (total.total_tokens ?? null) : (last?.total_tokens ?? this.used);
    const estimate = last !== null && isZero(countersOf(last)) ? this.used : null;
    const { id, parentId } = this.#lineage;
    const window = info.model_context_window ?? null;
    const counted = this.#total.advance({ total, last, mayInherit: parentId !== null, window });
    if (counted === null || this.#responses.size > 0) return { response: null, estimate };
    const { counters, isExact } = counted;
    const raw = rawOf(isExact && last !== null ? last : total);
    const countedBy = isExact ? "last-usage" : "growth";
    const before = this.#pairs.get(pair) ?? 0;
    this.#pairs.set(pair, before + 1);
    const origin = this.#lineage.originOf(moment);
    // The key of each of a session's totals is the same in every file: the session's own or its archived copy.
    const key = origin === "copied" ? null : `codex ${id} ${pair} ${before}`;
    return { response: { responseId: null, key, pair, origin, counters, raw, countedBy, held }, estimate };
  }
}
