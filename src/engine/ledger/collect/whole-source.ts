import type { Result } from "../../base/result.ts";
import type { UnreadableFile } from "../../transcripts/read-session-file.ts";
import type { LedgerEntry } from "../entries/entry.ts";
import { nothingRead, type Source, type SourceReader, type SourceReading } from "./source.ts";
import { ToldEntries } from "./told-entries.ts";

type Stats = Pick<Source, "size" | "mtimeMs">;

export interface WholeFormat {
  /** What the file is now; undefined when it is gone. */
  readonly stats: () => Stats | undefined;
  /** Everything it tells. */
  readonly read: () => Result<readonly LedgerEntry[], UnreadableFile>;
}

/** Reads a file that is written anew when it changes, or is no file of lines: all of it each time. */
export class WholeSource implements SourceReader {
  readonly #path: string;
  readonly #format: WholeFormat;
  readonly #told = new ToldEntries();

  constructor(path: string, format: WholeFormat) {
    this.#path = path;
    this.#format = format;
  }

  read(): SourceReading {
    // Before reading: what is written meanwhile shows as a change.
    const stats = this.#format.stats();
    if (stats === undefined) return nothingRead;
    const read = this.#format.read();
    if (!read.ok) return { ...nothingRead, problem: read.reason === "gone" ? null : problems[read.reason] };
    return {
      entries: this.#told.untold(read.value),
      position: {
        kind: "position",
        path: this.#path,
        identity: "whole",
        offset: stats.size,
        size: stats.size,
        modifiedAt: stats.mtimeMs,
      },
      more: false,
      problem: null,
    };
  }
}

const problems: Readonly<Record<Exclude<UnreadableFile, "gone">, string>> = {
  denied: "it may not be read",
  refused: "it is no regular file",
  unsupported: "this runtime cannot read such files",
  damaged: "it is damaged",
};
