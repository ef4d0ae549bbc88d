import { errorCode, rethrowUnlessSystemError } from "../../base/result.ts";
import type { FilePort, OpenFile } from "../../base/files.ts";
import { encodeHeader, journalFormat } from "./line.ts";
import { segmentPath } from "./segment.ts";

/** Bytes after which a new segment starts. */
const segmentSize = 8 << 20;
/** Maximum segments with the same first number: each start that wrote nothing adds one. */
const maxTurns = 9999;

interface OpenSegment {
  readonly file: OpenFile;
  /** Bytes written completely and acknowledged. */
  size: number;
}

/**
 * Appends lines to the journal, one write at a time. A new writer never continues an older writer's segment: the end
 * left by a crash stays unchanged.
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

  /** @param last the highest number in the journal or the snapshot */
  constructor(folder: string, files: FilePort, last: number) {
    this.#folder = folder;
    this.#files = files;
    this.#acknowledged = last;
    this.#next = last + 1;
  }

  get next(): number {
    return this.#next;
  }

  /** Bytes acknowledged since construction. */
  get written(): number {
    return this.#written;
  }

  /**
   * Writes lines and resolves when they are on the disk. Their numbers start at `next`.
   *
   * @param lines number of lines
   * @returns null, or the system's error code. After an error none of the lines is acknowledged, as many of their bytes
   * as possible are removed again, and their numbers are given up.
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

  async endSegment(): Promise<void> {
    const segment = this.#segment;
    this.#segment = null;
    await segment?.file.close();
  }

  /** After a failed write or flush the segment's contents are unknown: nothing more is written to it. */
  async #giveUp(segment: OpenSegment, lines: number): Promise<void> {
    this.#next += lines;
    try {
      await segment.file.truncate(segment.size);
    } catch (error) {
      // Lines that remain are whole or torn, and readers handle both; their numbers are not used again.
      rethrowUnlessSystemError(error);
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
    for (let turn = 0; turn <= maxTurns; turn += 1) {
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
