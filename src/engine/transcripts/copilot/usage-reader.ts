import { plainSentence } from "../../base/language.ts";
import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import {
  type RecordFile,
  type UsageReader,
  attributedLines,
  type UnreadableFile,
  readSessionFile,
} from "../usage-reader.ts";
import { readSessions, usageRead } from "../records/read-sessions.ts";
import { copilotStore, findEventFiles, statsOfStore } from "./copilot-files.ts";
import { attributedEvents, namedByNumbers } from "./named-records.ts";
import { EventLines, type CopilotRecord } from "./read-events.ts";
import { readStore } from "./read-store.ts";
import { totalTokens } from "../../usage/token-counts.ts";
import { countOnce } from "../../usage/aggregate.ts";
import type { AgentSession } from "../agent-session.ts";

/** Copilot CLI's sessions, and the store with rows of all of them. There is one root. */
export const usageReader: UsageReader = {
  finder([root = ""]) {
    const store = new Store(copilotStore(root));
    return () => {
      const { files, problems } = findEventFiles(root);
      const events = files.map((file): RecordFile => {
        const session = path.basename(path.dirname(file.path));
        const lines = () =>
          attributedLines(new EventLines(session), (read) =>
            attributedEvents(read, store.rowsOf(read.facts.sessionId)),
          );
        return { ...file, lines, whole: null };
      });
      const areas = [path.join(root, "session-state"), copilotStore(root)];
      return { files: [...events, ...store.file()], areas, problems };
    };
  },
  readUsage([root = ""]) {
    const events = readSessions(findEventFiles(root), ({ path: file }) => readEvents(file));
    const file = copilotStore(root);
    const store = readStore(file);
    const problem =
      store.ok || store.reason === "gone" ? [] : [{ path: file, reason: plainSentence(store.reason) }];
    const records = countCopilot(events.sessions, store.ok ? store.value.records : []);
    const read = usageRead(events, records);
    return { ...read, problems: [...read.problems, ...problem], files: read.files + Number(store.ok) };
  },
};

interface StoreRows {
  readonly size: number;
  readonly mtimeMs: number;
  readonly bySession: ReadonlyMap<string, readonly CopilotRecord[]>;
}

/** The store, read again when it has changed. */
class Store {
  readonly #path: string;
  #rows: StoreRows = { size: 0, mtimeMs: 0, bySession: new Map() };

  constructor(path: string) {
    this.#path = path;
  }

  file(): RecordFile[] {
    const stats = statsOfStore(this.#path);
    if (stats === undefined) return [];
    const whole = {
      stats: () => statsOfStore(this.#path),
      read: () => {
        const read = this.#read();
        return read.ok ? succeed(namedByNumbers([...read.value.bySession.values()].flat())) : read;
      },
    };
    return [{ path: this.#path, ...stats, lines: null, whole }];
  }

  /** A session's rows, as far as the store is readable. The store's own source reports why it is not. */
  rowsOf(sessionId: string): readonly CopilotRecord[] {
    const read = this.#read();
    return (read.ok ? read.value : this.#rows).bySession.get(sessionId) ?? [];
  }

  #read(): Result<StoreRows, UnreadableFile> {
    const stats = statsOfStore(this.#path);
    if (stats === undefined) return fail("gone", plainSentence(this.#path));
    if (stats.size === this.#rows.size && stats.mtimeMs === this.#rows.mtimeMs) return succeed(this.#rows);
    const read = readStore(this.#path);
    if (!read.ok) return read;
    const bySession = new Map<string, CopilotRecord[]>();
    for (const record of read.value.records) {
      const rows = bySession.get(record.sessionId);
      if (rows === undefined) bySession.set(record.sessionId, [record]);
      else rows.push(record);
    }
    this.#rows = { ...stats, bySession };
    return succeed(this.#rows);
  }
}

/**
 * Counts each response of the sessions once. A session's events and the store record the same responses without a
 * common id: for each session the events count, or the store's rows if those contain more tokens, as they do when
 * the process was killed before it wrote its totals.
 */
export function countCopilot(
  sessions: readonly AgentSession<CopilotRecord>[],
  store: readonly CopilotRecord[] = [],
): CopilotRecord[] {
  const stored = new Map<string, CopilotRecord[]>();
  for (const record of store) {
    const rows = stored.get(record.sessionId);
    if (rows === undefined) stored.set(record.sessionId, [record]);
    else rows.push(record);
  }
  const counted = sessions.flatMap(({ facts, records }) => {
    const rows = stored.get(facts.sessionId) ?? [];
    stored.delete(facts.sessionId);
    const { length: single } = records.filter(({ source }) => source === "response");
    const isStoreBetter =
      tokensOf(rows) > tokensOf(records) || (single === 0 && tokensOf(rows) === tokensOf(records));
    return isStoreBetter ? rows : records;
  });
  return countOnce([...counted, ...[...stored.values()].flat()]);
}

function tokensOf(records: readonly CopilotRecord[]): number {
  return records.reduce((sum, { usage }) => sum + totalTokens(usage), 0);
}

/** Reads a session's `events.jsonl` to its end. Its folder is named after the session's id. */
export function readEvents(file: string): Result<AgentSession<CopilotRecord>, UnreadableFile> {
  return readSessionFile(file, () => new EventLines(path.basename(path.dirname(file))));
}
