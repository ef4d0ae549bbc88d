import type { ApiResponse } from "../../../usage/api-response.ts";
import type { RowReading, TranscriptEvent } from "../../event.ts";
import type { WholeReader } from "../../live-reader.ts";
import { statsOfStore } from "../copilot-files.ts";
import { NumberNames } from "../number-names.ts";
import { readStoreOf, type StoredResponse } from "../read-store.ts";
import type { SessionState } from "./session-state.ts";

type Stats = ReturnType<WholeReader["stats"]>;

/**
 * Reads one session's rows of the session store, for sessions of versions whose events have no usage. Rows from the
 * first usage record on are left to the events; older ones are then no longer the latest, and count beside the
 * conversation.
 */
export class StoredRows implements WholeReader {
  readonly #path: string;
  readonly #sessionId: string;
  readonly #state: SessionState;
  readonly #names = new NumberNames();
  #lastRow = 0;
  #stats: Stats;
  #isDone = false;

  /** @param path of the store */
  constructor(path: string, sessionId: string, state: SessionState) {
    this.#path = path;
    this.#sessionId = sessionId;
    this.#state = state;
  }

  stats(): Stats {
    if (!this.#isDone) this.#stats = statsOfStore(this.#path);
    return this.#stats;
  }

  read(): readonly RowReading[] {
    this.#isDone = this.#state.hasUsage;
    const read = readStoreOf(this.#path, { sessionId: this.#sessionId, after: this.#lastRow });
    if (!read.ok) return [];
    return read.value.map(({ rowId, response }): RowReading => {
      this.#lastRow = Math.max(this.#lastRow, rowId);
      if (response === null) return { outcome: "malformed" };
      const { at, record } = response;
      const { agentId } = record;
      const events = this.#events(response);
      return { outcome: "known", isSidechain: false, at, events, ...(agentId === null ? {} : { agentId }) };
    });
  }

  #events({ record, at, isCompaction, endsTurn }: StoredResponse): TranscriptEvent[] {
    const { firstUsageAt } = this.#state;
    const messageId = this.#names.next(this.#sessionId, record.usage);
    if (this.#isDone && (firstUsageAt === null || at === null || at >= firstUsageAt)) return [];
    const response: ApiResponse = {
      messageId,
      requestId: null,
      model: record.model ?? "unknown",
      at,
      usage: record.usage,
      sessionId: this.#sessionId,
      cwd: record.cwd,
      isSidechain: record.agentId !== null || isCompaction || this.#isDone,
    };
    return [{ kind: "response", response, isCopy: false, endsTurn }];
  }
}
