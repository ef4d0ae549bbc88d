import { sentence, type Sentence } from "../../base/language.ts";
import { FileTail, type TailPosition, type TailState } from "../../transcripts/file-tail.ts";
import { leftOutMark, type FilePosition } from "../questions/queries.ts";
import {
  type EntryReader,
  nothingRead,
  rowsLeftOut,
  type PositionEntry,
  type SourceReader,
  type SourceReading,
} from "./collect-source.ts";

export interface LineFormat {
  /** @param state of an earlier reader of the same lines, to resume after them; null starts over */
  readonly start: (state: string | null) => EntryReader;
  /** Whether a reader can resume after another's lines. Otherwise a changed file is read again from its beginning. */
  readonly resumes: boolean;
}

/**
 * Bytes read between two positions while there is more: a position is large, because it holds its reader's whole state.
 */
const betweenPositions = 8 * 1024 * 1024;

export class LineSource implements SourceReader {
  readonly #format: LineFormat;
  readonly #tail: FileTail;
  #reader: EntryReader;
  /** Rows that were too long to read. */
  #oversized = 0;
  /** Offset of the last position passed on. Bytes. */
  #lastPosition: number;

  constructor(path: string, format: LineFormat, position: FilePosition | null) {
    const held = format.resumes ? position : null;
    this.#format = format;
    this.#reader = format.start(held?.state ?? null);
    this.#lastPosition = held?.offset ?? 0;
    this.#oversized = held === null ? 0 : rowsLeftOutOf(held);
    this.#tail = new FileTail(
      path,
      {
        onRestart: () => {
          this.#reader = format.start(null);
          this.#oversized = 0;
        },
        onLine: (line) => this.#reader.line(line),
        onOversized: () => {
          this.#reader.oversized();
          this.#oversized += 1;
        },
      },
      held === null ? null : tailPositionOf(held),
    );
  }

  read(budget: number): SourceReading {
    const { state, more } = this.#tail.poll(budget);
    if (state !== "reading") return { ...nothingRead, problem: problemOf(state) };
    // A format that cannot resume starts over anyway if this reader ends early, and each of its takes covers the whole
    // file.
    const isWorthTaking = this.#format.resumes || !more;
    const entries = isWorthTaking ? this.#reader.take() : [];
    const position = this.#isDue(more) ? this.#position(more) : null;
    return { entries, position, more, problem: this.#oversized > 0 ? rowsLeftOut : null };
  }

  /** If this reader ends before the file does, everything beyond the last position is read again. */
  #isDue(more: boolean): boolean {
    const { offset } = this.#tail.place;
    if (more && Math.abs(offset - this.#lastPosition) < betweenPositions) return false;
    this.#lastPosition = offset;
    return true;
  }

  #position(more: boolean): PositionEntry {
    const { identity, offset, witness, sum } = this.#tail.place;
    const { size, mtimeMs } = this.#tail.stats;
    const left = this.#oversized === 0 ? [] : [`${leftOutMark}${this.#oversized}`];
    const words = [identity, witness.toString("base64"), ...(sum === null ? [] : [sum]), ...left];
    return {
      kind: "position",
      path: this.#tail.path,
      identity: words.join(" "),
      offset,
      // Differs from the file's size, to mark that there is more to read.
      size: more ? offset : size,
      modifiedAt: mtimeMs,
      state: this.#format.resumes ? this.#reader.state() : null,
    };
  }
}

/** The number of rows left out of a file, by its position: a service that starts later reports them too. */
function rowsLeftOutOf({ identity }: FilePosition): number {
  const word = identity.split(" ").find((each) => each.startsWith(leftOutMark));
  return word === undefined ? 0 : Number(word.slice(leftOutMark.length));
}

function tailPositionOf({ identity, offset }: FilePosition): TailPosition {
  const words = identity.split(" ").filter((each) => !each.startsWith(leftOutMark));
  const [file = "", witness = "", sum = null] = words;
  const bytes = Buffer.from(witness, "base64");
  return { identity: file, offset, witness: bytes, sum: sum === null ? null : Number(sum) };
}

function problemOf(state: Exclude<TailState, "reading">): Sentence | null {
  switch (state) {
    case "gone":
      return null;
    case "denied":
      return sentence("it may not be read");
    case "refused":
      return sentence("it is no regular file");
  }
}
