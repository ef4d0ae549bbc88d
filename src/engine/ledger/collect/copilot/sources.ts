import { statSync } from "node:fs";
import path from "node:path";
import { fail, succeed, type Result } from "../../../base/result.ts";
import { copilotStore, findEventFiles } from "../../../transcripts/copilot/files.ts";
import { EventLines, type CopilotRecord } from "../../../transcripts/copilot/read-events.ts";
import { readStore } from "../../../transcripts/copilot/read-store.ts";
import { copilotRoot } from "../../../transcripts/copilot/roots.ts";
import type { HomeInput } from "../../../transcripts/home-folder.ts";
import type { UnreadableFile } from "../../../transcripts/read-session-file.ts";
import { copilotEntries, storeEntries } from "./entries.ts";
import type { FoundSources } from "../found-sources.ts";
import { LineSource } from "../line-source.ts";
import { RecordReader } from "../records/reader.ts";
import type { Source } from "../source.ts";
import { WholeSource } from "../whole-source.ts";

/** Copilot CLI's sessions, and the store with rows of all of them. */
export function copilotSources(input: HomeInput): () => FoundSources {
  const root = copilotRoot(input);
  const store = new Store(copilotStore(root));
  return () => {
    const { files, problems } = findEventFiles(root);
    const events = files.map(({ path: place, size, mtimeMs }): Source => {
      const session = path.basename(path.dirname(place));
      const start = () =>
        new RecordReader(new EventLines(session), (told) =>
          copilotEntries(told, store.rowsOf(told.facts.sessionId)),
        );
      const format = { start, resumes: false };
      return { path: place, size, mtimeMs, open: (position) => new LineSource(place, format, position) };
    });
    const areas = [path.join(root, "session-state"), copilotStore(root)];
    return { sources: [...events, ...store.source()], areas, folders: [], problems };
  };
}

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

  source(): Source[] {
    const stats = this.#stats();
    if (stats === undefined) return [];
    const format = {
      stats: () => this.#stats(),
      read: () => {
        const read = this.#read();
        return read.ok ? succeed(storeEntries([...read.value.bySession.values()].flat())) : read;
      },
    };
    return [{ path: this.#path, ...stats, open: () => new WholeSource(this.#path, format) }];
  }

  /** A session's rows, as far as the store is readable. The store's own source reports why it is not. */
  rowsOf(sessionId: string): readonly CopilotRecord[] {
    const read = this.#read();
    return (read.ok ? read.value : this.#rows).bySession.get(sessionId) ?? [];
  }

  #read(): Result<StoreRows, UnreadableFile> {
    const stats = this.#stats();
    if (stats === undefined) return fail("gone", this.#path);
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

  /** Includes the log beside the store, which is written first. */
  #stats(): Pick<StoreRows, "size" | "mtimeMs"> | undefined {
    const [store, log] = [this.#path, `${this.#path}-wal`].map((file) =>
      statSync(file, { throwIfNoEntry: false }),
    );
    if (store === undefined) return undefined;
    return {
      size: store.size + (log?.size ?? 0),
      mtimeMs: Math.max(store.mtimeMs, log?.mtimeMs ?? 0),
    };
  }
}
