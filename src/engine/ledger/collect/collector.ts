import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../base/timing.ts";
import type { Freshness } from "../ledger-answers.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { ledgerItself } from "../remedy.ts";
import { leftOutMark, type FilePosition, type ReadFile } from "../questions/queries.ts";
import { Batch, type Append } from "./batch.ts";
import {
  type FoundSources,
  isRead,
  rowsLeftOut,
  type PositionEntry,
  type Source,
  type SourceReading,
  type SourceReader,
} from "./collect-source.ts";

/** Maximum open readers: few files grow at the same time. */
const maxReaders = 32;

/** Keeps the readers of the most recently read files, so that growing files are continued from their last position. */
class OpenReaders {
  /** The most recently used one comes last. */
  readonly #readers = new Map<string, SourceReader>();

  /** @param position how far the file was read; called only when no reader of it is open */
  of(source: Source, position: () => FilePosition | null): SourceReader {
    const reader = this.#readers.get(source.path) ?? source.open(position());
    this.#readers.delete(source.path);
    this.#readers.set(source.path, reader);
    for (const path of this.#readers.keys()) {
      if (this.#readers.size <= maxReaders) break;
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

interface Collecting {
  readonly batch: Batch;
  readonly goesOn: () => boolean;
  /** Bytes that may be read beyond the position stored in the ledger. */
  readonly lag: number;
}

/** How far each file has been read, according to the ledger. */
export interface StoredPositions {
  /** For every file, by path, the facts that show whether it has changed. */
  all(): ReadonlyMap<string, ReadFile>;
  of(path: string): FilePosition | null;
}

export interface CollectorPorts {
  readonly find: () => FoundSources;
  readonly append: Append;
  readonly positions: StoredPositions;
  readonly clock: Clock;
  readonly onFreshness: (freshness: Freshness) => void;
  /** Reports a problem that no file caused, in words; for the log. */
  readonly onProblem: (message: string) => void;
}

/** Bytes read at once; other work runs between such pieces. */
const piece = 1024 * 1024;
/**
 * Maximum bytes that a growing file may be read beyond its stored position. A position is large compared with a line or
 * two; the next pass over all files stores it, and reading lines again changes nothing.
 */
const maxLag = 256 * 1024;

/**
 * Brings new content of agents' files into the ledger. A pass goes over all files, newest first, and opens those that
 * changed since they were read. Files reported as changed come before others. Whatever ends a pass, the next one
 * continues from the positions stored in the ledger.
 */
export class Collector {
  readonly #ports: CollectorPorts;
  readonly #files: Map<string, ReadFile>;
  readonly #readers = new OpenReaders();
  readonly #readProblems = new Map<string, Sentence>();
  #findProblems: Freshness["problems"] = [];
  #refusal: Freshness["problems"] = [];
  #sources: ReadonlyMap<string, Source> = new Map();
  readonly #touched = new Set<string>();
  /** Runs the requested work one after the other. */
  #chain: Promise<unknown> = Promise.resolve();
  #pass: Promise<Freshness> | null = null;
  #progress: Pick<Freshness, "asOf" | "files" | "done"> = { asOf: null, files: 0, done: 0 };
  #isStopped = false;

  constructor(ports: CollectorPorts) {
    this.#ports = ports;
    this.#files = new Map(ports.positions.all());
    for (const [path, { leavesRowsOut }] of this.#files)
      if (leavesRowsOut) this.#readProblems.set(path, rowsLeftOut);
  }

  get freshness(): Freshness {
    const unread = [...this.#readProblems].map(([path, reason]) => ({ path, reason }));
    return { ...this.#progress, problems: [...this.#refusal, ...this.#findProblems, ...unread] };
  }

  /** Brings everything present at this moment into the ledger, as far as it is readable. */
  catchUp(): Promise<Freshness> {
    this.#pass ??= this.#next(() => {
      this.#pass = null;
      return this.#runPass();
    });
    return this.#pass;
  }

  /** The minimum time between two collections of a file, in milliseconds; undefined for one that no pass has found. */
  restOf(path: string): number | undefined {
    return this.#sources.get(path)?.rest;
  }

  /** Reads these changed files before any others. */
  async touch(paths: Iterable<string>): Promise<void> {
    for (const path of paths) this.#touched.add(path);
    await this.#next(() => this.#collectAll([]));
  }

  /** Resolves after the write in progress; nothing is read after that. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#chain;
  }

  #next<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#chain.then(work);
    this.#chain = result;
    return result;
  }

  async #runPass(): Promise<Freshness> {
    const asOf = this.#ports.clock.now();
    const { sources, problems } = this.#ports.find();
    this.#sources = new Map(sources.map((source) => [source.path, source]));
    this.#findProblems = problems.map(({ path, reason }) => ({ path, reason }));
    for (const path of this.#readProblems.keys())
      if (!this.#sources.has(path)) this.#readProblems.delete(path);
    const changed = sources.filter((source) => !isRead(source, this.#files.get(source.path)));
    changed.sort((one, other) => other.mtimeMs - one.mtimeMs);
    this.#progress = { ...this.#progress, files: changed.length, done: 0 };
    this.#publishFreshness();
    const isComplete = await this.#collectAll(changed);
    this.#progress = { files: 0, done: 0, asOf: isComplete ? asOf : this.#progress.asOf };
    this.#publishFreshness();
    return this.freshness;
  }

  /** Returns whether all of it is in the ledger. */
  async #collectAll(sources: readonly Source[]): Promise<boolean> {
    const batch = new Batch({
      append: this.#ports.append,
      onPosition: (position) => this.#remember(position),
      onBadEntry: (detail) => this.#ports.onProblem(`The ledger refused an entry: ${detail}`),
    });
    const left = sources.toReversed();
    const goesOn = () => !this.#isStopped && batch.failure === null;
    while (goesOn()) {
      const touched = this.#takeTouched();
      const source = touched ?? left.pop();
      if (source === undefined) break;
      await this.#collect(source, { batch, goesOn, lag: touched === undefined ? 0 : maxLag });
      if (touched === undefined) this.#progress = { ...this.#progress, done: this.#progress.done + 1 };
      this.#publishFreshness();
    }
    await batch.flush();
    this.#noteRefusal(batch);
    return goesOn();
  }

  #takeTouched(): Source | undefined {
    for (const path of this.#touched) {
      this.#touched.delete(path);
      const source = this.#sources.get(path);
      if (source !== undefined) return source;
    }
    return undefined;
  }

  async #collect(source: Source, { batch, goesOn, lag }: Collecting): Promise<void> {
    const reader = this.#readers.of(source, () => this.#stored(source.path));
    for (let more = true; more && goesOn();) {
      const reading = this.#read(source, () => reader.read(piece));
      ({ more } = reading);
      await batch.add(reading.entries, this.#isPositionDue(reading.position, lag) ? reading.position : null);
      await nextTurn();
    }
  }

  /** No content of a file ends collecting: a bug of ours with one file must not stop the others from being read. */
  #read(source: Source, read: () => SourceReading): SourceReading {
    const { path } = source;
    try {
      const reading = read();
      if (reading.problem === null) this.#readProblems.delete(path);
      else this.#readProblems.set(path, reading.problem);
      return reading;
    } catch (error) {
      this.#readers.forget(path);
      if (!this.#readProblems.has(path)) this.#ports.onProblem(`${path} cannot be read: ${String(error)}`);
      this.#readProblems.set(path, sentence("purser failed to read it; the service's log says why"));
      return { entries: [], position: null, more: false, problem: null };
    }
  }

  /** A stored position is large: it is read only for files that have one. */
  #stored(path: string): FilePosition | null {
    return this.#files.has(path) ? this.#ports.positions.of(path) : null;
  }

  #isPositionDue(position: PositionEntry | null, lag: number): boolean {
    if (position === null) return false;
    const held = this.#stored(position.path);
    const isSameFile = position.identity === held?.identity && position.offset === held.offset;
    if (isSameFile && position.size === held.size && position.modifiedAt === held.modifiedAt) return false;
    return Math.abs(position.offset - (held?.offset ?? 0)) >= lag;
  }

  /** The ledger has accepted entries, so earlier refusals are over. */
  #remember({ path, identity, size = null, modifiedAt = null }: PositionEntry): void {
    this.#files.set(path, { size, modifiedAt, leavesRowsOut: identity.includes(leftOutMark) });
    this.#refusal = [];
  }

  /** Refused content is read again: every reader starts over from what the ledger acknowledged. */
  #noteRefusal({ failure }: Batch): void {
    if (failure === null) return;
    this.#readers.clear();
    const reason = failure.detail;
    const isReported = this.#refusal.some((each) => each.reason.text === reason.text);
    this.#refusal = [{ path: ledgerItself, reason }];
    if (!isReported)
      this.#ports.onProblem(`The ledger does not take what was collected: ${failure.detail.text}`);
  }

  #publishFreshness(): void {
    this.#ports.onFreshness(this.freshness);
  }
}
