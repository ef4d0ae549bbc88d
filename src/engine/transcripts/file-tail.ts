import { closeSync, fstatSync, readSync, type Stats } from "node:fs";
import { crc32 } from "node:zlib";
import { errorCode } from "../base/result.ts";
import { LineSplitter } from "./line-splitter.ts";
import { openToRead } from "./open-file.ts";
import { areWholeRecords, readRecords } from "./records/recovered.ts";

export { openToRead, readOpening } from "./open-file.ts";
export { parseJsonLine } from "./json-line.ts";
export { FolderWatch } from "./folder-watch.ts";

/** State of the file at a poll. `refused` means not a regular file: a FIFO, a folder, a device. */
export type TailState = "reading" | "gone" | "denied" | "refused";

export interface TailPoll {
  readonly state: TailState;
  /**
   * The file was truncated, replaced or rewritten: discard the content of its earlier lines. Reported before any line.
   */
  readonly restarted: boolean;
  /** More remains to be read than one poll's budget allows. */
  readonly more: boolean;
}

export interface TailListener {
  onRestart(): void;
  /**
   * The line without its newline, in a buffer that is reused after the call. Returns false if the line is not one
   * record: then each whole record in it follows.
   */
  onLine(line: Buffer): boolean;
  /** A line was too long to hold in memory, and was skipped. */
  onOversized(): void;
}

/** How far a file's whole lines have been read: enough for another tail to resume there later. */
export interface TailPosition {
  /** The file's device and inode. */
  readonly identity: string;
  /** The end of the last whole line. Bytes. */
  readonly offset: number;
  /** The bytes just before it. */
  readonly witness: Buffer;
  /** Checksum of all bytes before it; null where unknown. */
  readonly sum: number | null;
}

/** The file's stats at the last poll that could read it. */
export interface TailStats {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
}

const chunkSize = 256 * 1024;
/** Most polls read little: they do not hold the memory of a whole chunk. */
const smallChunk = 16 * 1024;
/**
 * The memory that polls read into, one after the other; null during a poll. Allocating it for each poll takes time, and
 * memory outside V8's heap causes more frequent garbage collection.
 */
let spare: Buffer | null = null;
/** The bytes just before the offset are read again at every poll; if they differ, the file was rewritten in place. */
const witnessSize = 64;
const newline = 0x0a;

/**
 * Reads a growing file, only the bytes appended since the last poll. Reopens the file each time, so it holds no handle
 * that would keep a deleted file alive or prevent a Windows file from being renamed. Never blocks: a poll reads at most
 * its budget, and opening a FIFO returns at once.
 */
export class FileTail {
  readonly path: string;
  readonly #listener: TailListener;
  #splitter = new LineSplitter();
  #identity = "";
  #offset = 0;
  #witness = Buffer.alloc(0);
  /** Checksum of the bytes up to the offset; null where unknown. */
  #sum: number | null = 0;
  /** Like `#witness` and `#sum`, but for the end of the last whole line. */
  #lineWitness = Buffer.alloc(0);
  #lineSum: number | null = 0;
  #stats: TailStats = { size: 0, mtimeMs: 0 };

  /** @param position where an earlier tail of the same file stopped; if it is another file now, that is a restart */
  constructor(path: string, listener: TailListener, position: TailPosition | null = null) {
    this.path = path;
    this.#listener = listener;
    if (position === null) return;
    this.#identity = position.identity;
    this.#offset = position.offset;
    this.#witness = Buffer.from(position.witness);
    this.#lineWitness = this.#witness;
    this.#sum = position.sum;
    this.#lineSum = position.sum;
    this.#stats = { size: position.offset, mtimeMs: NaN };
  }

  get place(): TailPosition {
    const offset = this.#offset - this.#splitter.pending;
    return { identity: this.#identity, offset, witness: this.#lineWitness, sum: this.#lineSum };
  }

  get stats(): TailStats {
    return this.#stats;
  }

  /** @param budget maximum bytes to read now */
  poll(budget: number): TailPoll {
    let handle: number;
    try {
      handle = openToRead(this.path);
    } catch (error) {
      return stopped(openFailure(errorCode(error)));
    }
    try {
      return this.#read(handle, budget);
    } catch (error) {
      return stopped(openFailure(errorCode(error)));
    } finally {
      closeSync(handle);
    }
  }

  #read(handle: number, budget: number): TailPoll {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return stopped("refused");
    const restarted = this.#isOther(handle, stats);
    if (restarted) this.#restart();
    this.#identity = identityOf(stats);
    this.#stats = { size: stats.size, mtimeMs: stats.mtimeMs };
    const end = Math.min(stats.size, this.#offset + budget);
    const buffer = takeChunk(end - this.#offset);
    try {
      while (this.#offset < end) {
        const length = readSync(handle, buffer, 0, Math.min(buffer.length, end - this.#offset), this.#offset);
        // The file was truncated at this very moment: the next poll detects it, and nothing more can be read now.
        if (length === 0) return { state: "reading", restarted, more: false };
        this.#advance(buffer.subarray(0, length));
      }
      if (end === stats.size) this.#finish();
      return { state: "reading", restarted, more: end < stats.size };
    } finally {
      if (buffer.length === chunkSize) spare = buffer;
    }
  }

  #isOther(handle: number, stats: Stats): boolean {
    if (this.#offset === 0) return false;
    if (stats.size < this.#offset || identityOf(stats) !== this.#identity) return true;
    const now = Buffer.allocUnsafe(this.#witness.length);
    const length = readSync(handle, now, 0, now.length, this.#offset - now.length);
    if (length !== now.length || !now.equals(this.#witness)) return true;
    // An append makes a file larger. A change without growth may be anywhere in the file.
    const isChanged = stats.size === this.#stats.size && stats.mtimeMs !== this.#stats.mtimeMs;
    return isChanged && this.#sum !== null && sumOf(handle, this.#offset) !== this.#sum;
  }

  #restart(): void {
    this.#offset = 0;
    this.#witness = Buffer.alloc(0);
    this.#lineWitness = this.#witness;
    this.#sum = 0;
    this.#lineSum = 0;
    this.#splitter = new LineSplitter();
    this.#listener.onRestart();
  }

  /** The last line may be whole and lack only its newline. Later bytes form a new line. */
  #finish(): void {
    const read = (line: Buffer) => readRecords(line, (record) => this.#listener.onLine(record));
    if (!this.#splitter.end(areWholeRecords, read)) return;
    this.#lineWitness = this.#witness;
    this.#lineSum = this.#sum;
  }

  #advance(chunk: Buffer): void {
    this.#offset += chunk.length;
    const line = chunk.subarray(0, chunk.lastIndexOf(newline) + 1);
    if (line.length > 0) {
      this.#lineWitness = lastBytes(this.#witness, line);
      this.#lineSum = this.#sum === null ? null : crc32(line, this.#sum);
      this.#sum = this.#lineSum;
    }
    if (this.#sum !== null) this.#sum = crc32(chunk.subarray(line.length), this.#sum);
    this.#witness = lastBytes(this.#witness, chunk);
    this.#splitter.push(
      chunk,
      (line) => readRecords(line, (record) => this.#listener.onLine(record)),
      () => this.#listener.onOversized(),
    );
  }
}

/** Memory for the next `length` bytes of a file. */
function takeChunk(length: number): Buffer {
  if (length <= smallChunk) return Buffer.allocUnsafe(Math.max(1, length));
  const taken = spare ?? Buffer.allocUnsafeSlow(chunkSize);
  spare = null;
  return taken;
}

function sumOf(handle: number, length: number): number {
  const buffer = Buffer.allocUnsafe(Math.min(length, chunkSize));
  let sum = 0;
  for (let at = 0; at < length;) {
    const read = readSync(handle, buffer, 0, Math.min(buffer.length, length - at), at);
    if (read === 0) return -1;
    sum = crc32(buffer.subarray(0, read), sum);
    at += read;
  }
  return sum;
}

function lastBytes(before: Buffer, chunk: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([before, chunk.subarray(-witnessSize)]).subarray(-witnessSize);
}

function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`;
}

function stopped(state: TailState): TailPoll {
  return { state, restarted: false, more: false };
}

function openFailure(code: string): TailState {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
    case "ESTALE":
      return "gone";
    case "EISDIR":
    case "ENXIO":
    case "ELOOP":
      return "refused";
    default:
      return "denied";
  }
}
