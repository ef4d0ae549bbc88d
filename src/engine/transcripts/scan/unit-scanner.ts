import { closeSync, constants, fstatSync, openSync } from "node:fs";
import type { Compaction } from "../../usage/compaction.ts";
import { errorCode, type FileProblem } from "../claude/files.ts";
import { LineReader, type LineVisitor } from "./line-reader.ts";
import { mayBeWanted } from "./line-sniff.ts";
import { emptyRow, ResponseTable, type PackedTable, type ResponseRow } from "./response-table.ts";
import { RowReader, type RowKind } from "./row-reader.ts";
import type { ScanUnit } from "./scan-plan.ts";
import type { TextSpan } from "./text-span.ts";
import { decodeText } from "./text-bytes.ts";
import type { ByteInterner } from "./byte-interner.ts";

/** Rows that were left out, by why. */
export interface SkippedRows {
  /** Answers the agent made up itself: errors, not responses. */
  synthetic: number;
  /** Responses without `message.id`, which cannot be counted once. */
  unidentified: number;
  /** Cut off, no JSON object, or with a figure that is none. */
  malformed: number;
  /** Longer than 64 MiB. */
  oversized: number;
}

export interface UnitCompaction extends Compaction {
  readonly isSidechain: boolean;
  readonly sessionId: string;
  /** The model of the last response of the same chain before it in its unit, or null when there is none. */
  readonly model: string | null;
  /** Whether a 1M window was proved before it in its unit. */
  readonly isLongContext: boolean;
}

/** What a unit told beside its responses. Files are put together from their units in order. */
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

/** Reads units one after the other, on whatever thread. */
export class UnitScanner implements LineVisitor {
  readonly table = new ResponseTable();
  readonly reports: UnitReport[] = [];
  readonly skipped: SkippedRows = { synthetic: 0, unidentified: 0, malformed: 0, oversized: 0 };
  readonly isStopped: () => boolean;
  readonly #reader = new RowReader();
  readonly #lines: LineReader;
  readonly #row = emptyRow();
  #compactions: UnitCompaction[] = [];
  /** Numbers of the table's texts, or -1. */
  #mainModel = -1;
  #sidechainModel = -1;
  #fileSession = -1;
  #fallbackSession = -1;
  #isLongContext = false;

  constructor(isStopped: () => boolean, longestLine?: number) {
    this.isStopped = isStopped;
    this.#lines = new LineReader(longestLine);
  }

  /** Reads a unit's lines. What cannot be read is reported, not thrown. */
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
    if (!mayBeWanted(bytes, start, end)) return;
    const kind = this.#reader.read(bytes, start, end);
    this.#take(kind);
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
      // Without O_NONBLOCK opening a FIFO would wait for someone to write to it. Windows has neither of them.
      descriptor = openSync(unit.path, constants.O_RDONLY | constants.O_NONBLOCK);
      if (!fstatSync(descriptor).isFile()) return { path: unit.path, reason: "not a regular file" };
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
    const { bytes, message, requestId, cwd, at, isSidechain, isCopy } = this.#reader;
    const { messages, texts } = this.table;
    const row = this.#row;
    row.message = internSpan(messages, bytes, message.id, row.message);
    setRequest(row, bytes, requestId);
    row.cwd = cwd.isPresent ? internSpan(texts, bytes, cwd, row.cwd) : -1;
    row.model = message.model.isPresent
      ? internSpan(texts, bytes, message.model, row.model)
      : texts.internText("unknown");
    row.session = this.#session();
    row.isSidechain = isSidechain;
    row.isCopy = isCopy;
    row.at = at;
    row.input = message.usage.input;
    row.output = message.usage.output;
    row.cacheCreation5m = message.usage.cacheCreation5m;
    row.cacheCreation1h = message.usage.cacheCreation1h;
    row.cacheRead = message.usage.cacheRead;
    this.table.add(row);
    if (isSidechain) this.#sidechainModel = row.model;
    else this.#mainModel = row.model;
  }

  #session(): number {
    if (this.#fileSession >= 0) return this.#fileSession;
    const { bytes, sessionId } = this.#reader;
    return sessionId.isPresent
      ? internSpan(this.table.texts, bytes, sessionId, this.#row.session)
      : this.#fallbackSession;
  }

  #addCompaction(): void {
    const { trigger, preTokens, postTokens, at, isSidechain } = this.#reader;
    this.#compactions.push({
      trigger,
      preTokens: preTokens < 0 ? null : preTokens,
      postTokens: postTokens < 0 ? null : postTokens,
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

function internSpan(interner: ByteInterner, bytes: Buffer, span: TextSpan, guess: number): number {
  if (span.isEscaped) return interner.internText(decodeText(bytes, span));
  return interner.intern(bytes, span.start, span.end, guess);
}

function setRequest(row: ResponseRow, bytes: Buffer, span: TextSpan): void {
  row.requestBytes = span.isEscaped ? Buffer.from(decodeText(bytes, span)) : bytes;
  row.requestStart = span.isEscaped ? 0 : span.start;
  const end = span.isEscaped ? row.requestBytes.length : span.end;
  row.requestEnd = span.isPresent && end > row.requestStart ? end : -1;
}
