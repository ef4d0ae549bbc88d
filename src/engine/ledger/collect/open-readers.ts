import type { FilePosition } from "../questions/queries.ts";
import type { Source, SourceReader } from "./source.ts";

/** Most readers kept: few files grow at the same time. */
const most = 32;

/** Keeps the readers of the most recently read files, so that growing files are read on from where they were. */
export class OpenReaders {
  /** The most recently used one comes last. */
  readonly #readers = new Map<string, SourceReader>();

  /** @param position how far the file was read, asked only when no reader of it is kept */
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
