import type { Origin } from "../agent-activity.ts";
import type { SessionMeta } from "./codex-row-schema.ts";

/** Codex writes copied history at once; a response of its own takes longer. Milliseconds. */
const copyTime = 1000;

/**
 * Separates a session's own lines from those repeated from its parent. What is repeated depends on the version and on how
 * the session began: a fork of 0.169 repeats nothing, a subagent its parent's turns, older versions everything, with new
 * timestamps.
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
