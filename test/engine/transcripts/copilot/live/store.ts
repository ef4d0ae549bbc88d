import type { DatabaseSync } from "node:sqlite";
import assert from "node:assert/strict";
import { runtimeSqlite } from "../../../../../src/engine/transcripts/copilot/read-store.ts";
import type { Vector } from "../event-rows.ts";

const table = `CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
  agent_id TEXT, model TEXT NOT NULL, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER,
  cache_write_tokens INTEGER, reasoning_tokens INTEGER, initiator TEXT, finish_reason TEXT, created_at TEXT);`;

export interface StoredRow {
  readonly session?: string;
  readonly agent?: string;
  readonly initiator?: string;
  readonly second: number;
  readonly usage: Vector;
}

/** A session store as the agent leaves it: open, with its log beside it. */
export class WrittenStore {
  readonly #store: DatabaseSync;

  constructor(file: string) {
    const sqlite = runtimeSqlite();
    assert.ok(sqlite !== undefined);
    this.#store = new sqlite.DatabaseSync(file);
    this.#store.exec(`PRAGMA journal_mode = WAL; ${table}`);
  }

  add({ session = "s1", agent, initiator = "user", second, usage }: StoredRow): void {
    const at = `2026-11-02T09:00:${String(second).padStart(2, "0")}.000Z`;
    this.#store
      .prepare(
        `INSERT INTO assistant_usage_events (session_id, agent_id, model, input_tokens, output_tokens, cache_read_tokens,
          cache_write_tokens, initiator, finish_reason, created_at) VALUES (?, ?, 'gpt-5.4', ?, ?, ?, ?, ?, 'stop', ?)`,
      )
      .run(
        session,
        agent ?? null,
        usage.inputTokens,
        usage.outputTokens,
        usage.cacheReadTokens,
        usage.cacheWriteTokens,
        initiator,
        at,
      );
  }

  close(): void {
    this.#store.close();
  }
}
