import { FileTail, type TailPlace, type TailState } from "../../transcripts/file-tail.ts";
import type { FilePosition } from "../questions/queries.ts";
import type { EntryReader } from "./entry-reader.ts";
import { nothingRead, type PositionEntry, type SourceReader, type SourceReading } from "./source.ts";

export interface LineFormat {
  /** @param state of an earlier reader of the same lines, to go on after them; null begins anew */
  readonly start: (state: string | null) => EntryReader;
  /** A reader can go on after another's lines. Else a file that changed is read again from its beginning. */
  readonly resumes: boolean;
}

/** Read between two positions while there is more: a position holds all that its reader remembers. Bytes. */
const betweenPositions = 8 * 1024 * 1024;

/** Reads a file of lines, in pieces. */
export class LineSource implements SourceReader {
  readonly #format: LineFormat;
  readonly #tail: FileTail;
  #reader: EntryReader;
  /** Where the last position was that was told. Bytes. */
  #told: number;

  constructor(path: string, format: LineFormat, position: FilePosition | null) {
    const held = format.resumes ? position : null;
    this.#format = format;
    this.#reader = format.start(held?.state ?? null);
    this.#told = held?.offset ?? 0;
    this.#tail = new FileTail(
      path,
      {
        onRestart: () => (this.#reader = format.start(null)),
        onLine: (line) => this.#reader.line(line),
        onOversized: () => this.#reader.oversized(),
      },
      held === null ? null : placeIn(held),
    );
  }

  read(budget: number): SourceReading {
    const { state, more } = this.#tail.poll(budget);
    if (state !== "reading") return { ...nothingRead, problem: problemOf(state) };
    // A reader that is begun anew anyway, should this one end before the file does, tells all of it again and again.
    const isWorthTaking = this.#format.resumes || !more;
    const entries = isWorthTaking ? this.#reader.take() : [];
    return { entries, position: this.#isDue(more) ? this.#position(more) : null, more, problem: null };
  }

  /** What is read beyond a position is read again should this reader end before the file does. */
  #isDue(more: boolean): boolean {
    const { offset } = this.#tail.place;
    if (more && Math.abs(offset - this.#told) < betweenPositions) return false;
    this.#told = offset;
    return true;
  }

  #position(more: boolean): PositionEntry {
    const { identity, offset, witness } = this.#tail.place;
    const { size, mtimeMs } = this.#tail.stats;
    return {
      kind: "position",
      path: this.#tail.path,
      identity: `${identity} ${witness.toString("base64")}`,
      offset,
      // Another size than the file has: there is more to read of it.
      size: more ? offset : size,
      modifiedAt: mtimeMs,
      state: this.#format.resumes ? this.#reader.state() : null,
    };
  }
}

function placeIn({ identity, offset }: FilePosition): TailPlace {
  const [file = "", witness = ""] = identity.split(" ");
  return { identity: file, offset, witness: Buffer.from(witness, "base64") };
}

function problemOf(state: Exclude<TailState, "reading">): string | null {
  switch (state) {
    case "gone":
      return null;
    case "denied":
      return "it may not be read";
    case "refused":
      return "it is no regular file";
  }
}
