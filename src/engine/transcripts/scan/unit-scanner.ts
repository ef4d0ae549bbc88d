import { type FileProblem, errorCode } from "../../base/result.ts";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { type LastCall, serverCallId, isByRow, type Compaction } from "../../usage/api-response.ts";

import {
  declined,
  joined,
  kernelIfPossible,
  unwanted,
  whole,
  type RowKernel,
} from "./compiled/row-kernel.ts";
import { recordsIn } from "../records/recovered.ts";
import { withTextIds } from "./responses/text-ids.ts";
import { LineReader, type LineVisitor } from "./line-reader.ts";
import { mayBeWanted } from "./line-sniff.ts";
import { ResponseTable, type PackedTable } from "./response-table.ts";
import { emptyRow, type ResponseRow } from "./responses/row.ts";
import { RowReader, type RowKind } from "./row-reader.ts";
import type { RowValues } from "./slot-values.ts";
import type { ScanUnit } from "./units.ts";
import { codeOfTerms, termsOfCode } from "../../usage/price.ts";
import { termsOfServerCall } from "../claude/row-usage.ts";
import type { ByteInterner } from "./byte-interner.ts";
import { sentence, plainSentence } from "../../base/language.ts";

/** Counts of skipped rows, by reason. */
export interface SkippedRows {
  /** Answers the agent made up itself: errors, not responses. */
  synthetic: number;
  /** Responses without any id, which cannot be counted once. */
  unidentified: number;
  /** Not skipped: responses without an id of their own, each counted by its row's. */
  byRow: number;
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

/** Marks a response's record, as agents write it. In a line that is skipped unread, it reveals a second record. */
const recordMark = '"type":"assistant"';
/** Small enough to stay in a core's cache while it is searched. Bytes. */
const usualBuffer = 1 << 18;

/** Reads units one after the other, on any thread. */
export class UnitScanner implements LineVisitor {
  readonly table = new ResponseTable();
  readonly reports: UnitReport[] = [];
  readonly skipped: SkippedRows = { synthetic: 0, unidentified: 0, byRow: 0, malformed: 0, oversized: 0 };
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

  line(bytes: Buffer, from: number, end: number): void {
    // A byte order mark, as editors write it before a file's first row.
    const start =
      bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf ? from + 3 : from;
    const outcome = this.#kernel?.read(bytes, start, end) ?? declined;
    if (outcome === unwanted) return;
    if (outcome === joined) {
      this.#recover(bytes, start, end);
      return;
    }
    if (outcome === declined && !mayBeWanted(bytes, start, end)) {
      this.rest(bytes, start, end);
      return;
    }
    const kind =
      outcome === whole ? this.#reader.judge(bytes, start, end) : this.#reader.read(bytes, start, end);
    const mended = this.#mended(kind, bytes, start, end);
    this.#take(mended);
    if (this.#reader.isLongContext) this.#isLongContext = true;
    if (mended === "malformed") this.#recover(bytes, start, end);
  }

  rest(bytes: Buffer, start: number, end: number): void {
    const holdsRecord =
      this.#kernel?.holdsRecord(bytes, start, end) ?? bytes.subarray(start, end).includes(recordMark);
    if (holdsRecord) this.#recover(bytes, start, end);
  }

  /** Reads a row again if only its ids are wrong. */
  #mended(kind: RowKind, bytes: Buffer, start: number, end: number): RowKind {
    const mayMend = kind === "malformed" || kind === "unidentified";
    const mended = mayMend ? withTextIds(bytes.subarray(start, end)) : null;
    return mended === null ? kind : this.#reader.read(mended, 0, mended.length);
  }

  /** Reads the whole records in a line that is not one record itself. */
  #recover(bytes: Buffer, start: number, end: number): void {
    for (const record of recordsIn(bytes.subarray(start, end))) {
      const kind = this.#reader.read(record, 0, record.length);
      this.#take(this.#mended(kind, record, 0, record.length));
      if (this.#reader.isLongContext) this.#isLongContext = true;
    }
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
      if (!fstatSync(descriptor).isFile()) return { path: unit.path, reason: sentence("not a regular file") };
      return this.#lines.read(descriptor, unit, this);
    } catch (error) {
      return { path: unit.path, reason: plainSentence(errorCode(error)) };
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
    row.message =
      reader.rowId === null
        ? internSlot(messages, values, reader.messageId, row.message)
        : messages.internText(reader.rowId);
    setRequest(row, values, reader.requestId);
    if (reader.rowId !== null && isByRow(reader.rowId)) this.skipped.byRow += 1;
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
    row.terms = codeOfTerms(reader.terms);
    row.lastContext = contextIn(reader.lastCall);
    row.lastOutput = reader.lastCall?.output ?? 0;
    this.table.add(row);
    if (row.isSidechain) this.#sidechainModel = row.model;
    else this.#mainModel = row.model;
    if (reader.serverCalls.length > 0) this.#addServerCalls();
  }

  /** Adds the calls that the API made by itself for the response just added. */
  #addServerCalls(): void {
    const { messages, texts } = this.table;
    const row = this.#row;
    const { message, model, isSidechain } = row;
    const ofResponse = termsOfCode(row.terms);
    const id = messages.text(message);
    for (const call of this.#reader.serverCalls) {
      row.message = messages.internText(serverCallId(id, call.type, call.number));
      row.model = call.model === null ? model : texts.internText(call.model);
      row.isSidechain = true;
      Object.assign(row, call.usage);
      row.terms = codeOfTerms(termsOfServerCall(ofResponse, call.model === null));
      row.lastContext = Number.NaN;
      row.lastOutput = 0;
      this.table.add(row);
    }
    Object.assign(row, { message, model, isSidechain });
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

/** As stored in tables: `NaN` where the usage covers one call, -1 where unknown. */
function contextIn(lastCall: LastCall | null | undefined): number {
  return lastCall === undefined ? Number.NaN : (lastCall?.context ?? -1);
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
