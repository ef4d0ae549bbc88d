import type { FilePosition } from "../questions/queries.ts";
import type { Source, SourceReader } from "./source.ts";

/** Readers that are kept: files that grow are few at a time. */
const most = 32;

/** The readers of the files that were last read, so that those that grow are read on. */
export class OpenReaders {
  /** The one that was used last comes last. */
  readonly #readers = new Map<string, SourceReader>();

  /** @param position how far the file was read, where no reader of it is kept */
  of(source: Source, position: () => FilePosition | null): SourceReader {
    const reader = this.#readers.get(source.path) ?? source.open(position());
    this.#readers.delete(source.path);
    this.#readers.set(source.path, reader);
    for (const path of this.#readers.keys()) {
      if (this.#readers.size <= most) break;
      this.#readers.delete(path);
    }
    return reader;
  }

  forget(path: string): void {
    this.#readers.delete(path);
  }

  clear(): void {
    this.#readers.clear();
  }
}
