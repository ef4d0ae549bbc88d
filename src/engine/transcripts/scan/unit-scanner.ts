import { closeSync, constants, fstatSync, openSync } from "node:fs";
import type { Compaction } from "../../usage/compaction.ts";
import { errorCode } from "../../base/error-code.ts";
import type { FileProblem } from "../claude/files.ts";
import { declined, kernelIfPossible, unwanted, whole, type RowKernel } from "./compiled/row-kernel.ts";
import { LineReader, type LineVisitor } from "./line-reader.ts";
import { mayBeWanted } from "./line-sniff.ts";
import { emptyRow, ResponseTable, type PackedTable, type ResponseRow } from "./response-table.ts";
import { RowReader, type RowKind } from "./row-reader.ts";
import type { RowValues } from "./slot-values.ts";
import type { ScanUnit } from "./units.ts";
import type { ByteInterner } from "./byte-interner.ts";
import { english } from "../../base/text/english.ts";

/** Counts of skipped rows, by reason. */
export interface SkippedRows {
  /** Answers the agent made up itself: errors, not responses. */
  synthetic: number;
  /** Responses without `message.id`, which cannot be counted once. */
  unidentified: number;
  /** Cut off, not a JSON object, or with an invalid figure. */
  malformed: number;
  /** Longer than 64 MiB. */
  oversized: number;
}

export interface UnitCompaction extends Compaction {
  readonly isSidechain: boolean;
  readonly sessionId: string;
  /** The model of the last response before it in the same chain of its unit, or null when there is none. */
  readonly model: string | null;
  /** Whether a row before it in its unit proves a 1M window. */
  readonly isLongContext: boolean;
}

/** What a unit contains besides its responses. A file's result is assembled from its units in order. */
export interface UnitReport {
  readonly number: number;
  readonly bytes: number;
  readonly compactions: readonly UnitCompaction[];
  readonly lastMainModel: string | null;
  readonly lastSidechainModel: string | null;
  readonly isLongContext: boolean;
  readonly problem: FileProblem | null;
}

export interface ScanPart {
  readonly table: PackedTable;
  readonly reports: readonly UnitReport[];
  readonly skipped: SkippedRows;
}

/** Small enough to stay in a core's cache while it is searched. Bytes. */
const usualBuffer = 1 << 18;

/** Reads units one after the other, on any thread. */
export class UnitScanner implements LineVisitor {
  readonly table = new ResponseTable();
  readonly reports: UnitReport[] = [];
  readonly skipped: SkippedRows = { synthetic: 0, unidentified: 0, malformed: 0, oversized: 0 };
  readonly isStopped: () => boolean;
  readonly #kernel: RowKernel | null;
  readonly #reader: RowReader;
  readonly #lines: LineReader;
  readonly #row = emptyRow();
  #compactions: UnitCompaction[] = [];
  /** Numbers in the table's texts, or -1. */
  #mainModel = -1;
  #sidechainModel = -1;
  #fileSession = -1;
  #fallbackSession = -1;
  #isLongContext = false;

  /** @param kernel null where there can be none */
  constructor(isStopped: () => boolean, kernel = kernelIfPossible(usualBuffer)) {
    this.isStopped = isStopped;
    this.#kernel = kernel;
    this.#reader = new RowReader(kernel?.values);
    this.#lines = new LineReader(kernel?.input ?? Buffer.allocUnsafeSlow(usualBuffer));
  }

  /** Reads a unit's lines. Failures are reported, not thrown. */
  scan(number: number, unit: ScanUnit): void {
    this.#compactions = [];
    this.#mainModel = this.#sidechainModel = -1;
    this.#isLongContext = false;
    this.#row.unit = number;
    const { texts } = this.table;
    this.#fileSession = unit.sessionId === null ? -1 : texts.internText(unit.sessionId);
    this.#fallbackSession = texts.internText(unit.name);
    const outcome = this.#readFile(unit);
    this.reports.push({
      number,
      bytes: typeof outcome === "number" ? outcome : 0,
      compactions: this.#compactions,
      lastMainModel: this.#textOrNull(this.#mainModel),
      lastSidechainModel: this.#textOrNull(this.#sidechainModel),
      isLongContext: this.#isLongContext,
      problem: typeof outcome === "number" ? null : outcome,
    });
  }

  mayWant(bytes: Buffer, start: number, end: number): boolean {
    return mayBeWanted(bytes, start, end);
  }

  line(bytes: Buffer, start: number, end: number): void {
    const outcome = this.#kernel?.read(bytes, start, end) ?? declined;
    if (outcome === unwanted || (outcome === declined && !mayBeWanted(bytes, start, end))) return;
    this.#take(outcome === whole ? this.#reader.judge() : this.#reader.read(bytes, start, end));
    if (this.#reader.isLongContext) this.#isLongContext = true;
  }

  oversized(): void {
    this.skipped.oversized += 1;
  }

  finish(): ScanPart {
    return { table: this.table.pack(), reports: this.reports, skipped: this.skipped };
  }

  #readFile(unit: ScanUnit): number | FileProblem {
    let descriptor: number | undefined;
    try {
      // Without O_NONBLOCK, opening a FIFO would wait for a writer. Windows has neither.
      descriptor = openSync(unit.path, constants.O_RDONLY | constants.O_NONBLOCK);
      if (!fstatSync(descriptor).isFile()) return { path: unit.path, reason: english("not a regular file") };
      return this.#lines.read(descriptor, unit, this);
    } catch (error) {
      return { path: unit.path, reason: errorCode(error) };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  #take(kind: RowKind): void {
    switch (kind) {
      case "other":
        return;
      case "response": {
        this.#addResponse();
        return;
      }
      case "compaction": {
        this.#addCompaction();
        return;
      }
      case "synthetic":
      case "unidentified":
      case "malformed":
        this.skipped[kind] += 1;
    }
  }

  #addResponse(): void {
    const reader = this.#reader;
    const { values } = reader;
    const { messages, texts } = this.table;
    const row = this.#row;
    row.message = internSlot(messages, values, reader.messageId, row.message);
    setRequest(row, values, reader.requestId);
    row.cwd = values.has(reader.cwd) ? internSlot(texts, values, reader.cwd, row.cwd) : -1;
    row.model = values.has(reader.model)
      ? internSlot(texts, values, reader.model, row.model)
      : texts.internText("unknown");
    row.session = this.#session();
    row.isSidechain = reader.isSidechain;
    row.isCopy = reader.isCopy;
    row.at = reader.at;
    row.input = reader.input;
    row.output = reader.output;
    row.cacheCreation5m = reader.cacheCreation5m;
    row.cacheCreation1h = reader.cacheCreation1h;
    row.cacheRead = reader.cacheRead;
    this.table.add(row);
    if (row.isSidechain) this.#sidechainModel = row.model;
    else this.#mainModel = row.model;
  }

  #session(): number {
    if (this.#fileSession >= 0) return this.#fileSession;
    const { values, sessionId } = this.#reader;
    if (!values.has(sessionId)) return this.#fallbackSession;
    return internSlot(this.table.texts, values, sessionId, this.#row.session);
  }

  #addCompaction(): void {
    const { trigger, preTokens, postTokens, at, isSidechain } = this.#reader;
    this.#compactions.push({
      trigger,
      preTokens,
      postTokens,
      at: Number.isNaN(at) ? null : at,
      isSidechain,
      sessionId: this.table.texts.text(this.#session()),
      model: this.#textOrNull(isSidechain ? this.#sidechainModel : this.#mainModel),
      isLongContext: this.#isLongContext,
    });
  }

  #textOrNull(number: number): string | null {
    return number < 0 ? null : this.table.texts.text(number);
  }
}

function internSlot(interner: ByteInterner, values: RowValues, slot: number, guess: number): number {
  if (values.isEscaped(slot)) return interner.internText(values.text(slot));
  return interner.intern(values.bytes, values.start(slot), values.end(slot), guess);
}

function setRequest(row: ResponseRow, values: RowValues, slot: number): void {
  if (!values.hasText(slot)) row.requestEnd = -1;
  else if (values.isEscaped(slot)) {
    row.requestBytes = Buffer.from(values.text(slot));
    row.requestStart = 0;
    row.requestEnd = row.requestBytes.length;
  } else {
    row.requestBytes = values.bytes;
    row.requestStart = values.start(slot);
    row.requestEnd = values.end(slot);
  }
}
