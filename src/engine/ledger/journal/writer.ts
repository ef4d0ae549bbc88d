import { errorCode } from "../../base/error-code.ts";
import type { FilePort, OpenFile } from "../../base/disk/file-port.ts";
import { encodeHeader, journalFormat } from "./line.ts";
import { segmentPath } from "./segment.ts";

/** Bytes after which a new segment is begun. */
const segmentSize = 8 << 20;
/** Segments of one first number that may be there: one more for every start that wrote nothing. */
const mostTurns = 9999;

interface OpenSegment {
  readonly file: OpenFile;
  /** Bytes that are whole and acknowledged. */
  size: number;
}

/**
 * Appends lines to the journal, one write at a time. A new one never goes on with an older writer's segment: what a crash
 * left at its end stays as it was found.
 */
export class JournalWriter {
  readonly #folder: string;
  readonly #files: FilePort;
  #segment: OpenSegment | null = null;
  /** The last number that was acknowledged. */
  #acknowledged: number;
  /** The first number that was never written. */
  #next: number;
  #written = 0;

  /** @param last the highest number that is in the journal or the snapshot */
  constructor(folder: string, files: FilePort, last: number) {
    this.#folder = folder;
    this.#files = files;
    this.#acknowledged = last;
    this.#next = last + 1;
  }

  /** The number the next entry gets. */
  get next(): number {
    return this.#next;
  }

  /** Bytes acknowledged since it was made. */
  get written(): number {
    return this.#written;
  }

  /**
   * Writes lines, and returns when they are on the disk. They bear the numbers from `next` on.
   *
   * @param lines how many they are
   * @returns null, or the system's error code. Then none of the lines is acknowledged, and after as many of their bytes
   * as possible were taken back, their numbers are given up.
   */
  async write(bytes: Buffer, lines: number): Promise<string | null> {
    if (this.#segment !== null && this.#segment.size >= segmentSize) await this.endSegment();
    try {
      const segment = (this.#segment ??= await this.#begin());
      try {
        await segment.file.write(bytes, segment.size);
        await segment.file.flush();
      } catch (error) {
        await this.#giveUp(segment, lines);
        throw error;
      }
      segment.size += bytes.length;
      this.#written += bytes.length;
      this.#next += lines;
      this.#acknowledged = this.#next - 1;
      return null;
    } catch (error) {
      return errorCode(error);
    }
  }

  /** Ends the present segment; the next entry begins another. */
  async endSegment(): Promise<void> {
    const segment = this.#segment;
    this.#segment = null;
    await segment?.file.close();
  }

  /** What a failed write or flush left on the disk, nobody knows: the segment is not written to again. */
  async #giveUp(segment: OpenSegment, lines: number): Promise<void> {
    this.#next += lines;
    try {
      await segment.file.truncate(segment.size);
    } catch (error) {
      // The lines that stay are whole or torn, and readers know both; their numbers are not used again.
      errorCode(error);
    }
    await this.endSegment();
  }

  async #begin(): Promise<OpenSegment> {
    const { file, path } = await this.#create();
    const header = { journal: journalFormat, after: this.#acknowledged, first: this.#next };
    const bytes = Buffer.from(encodeHeader(header));
    try {
      await file.write(bytes, 0);
      await this.#files.flushFolder(this.#folder);
    } catch (error) {
      await file.close();
      await this.#files.remove(path);
      throw error;
    }
    return { file, size: bytes.length };
  }

  async #create(): Promise<{ file: OpenFile; path: string }> {
    for (let turn = 0; turn <= mostTurns; turn += 1) {
      const path = segmentPath(this.#folder, this.#next, turn);
      try {
        return { file: await this.#files.create(path), path };
      } catch (error) {
        if (errorCode(error) !== "EEXIST") throw error;
      }
    }
    throw new Error(`${this.#folder} holds too many segments that begin with ${this.#next}`);
  }
}
