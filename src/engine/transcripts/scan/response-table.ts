import type { LastCall } from "../../usage/api-response.ts";
import { termsOfCode, type PriceTerms } from "../../usage/price.ts";
import type { TokenUsage } from "../../usage/token-counts.ts";
import { emptyRow, type ResponseRow } from "./responses/row.ts";
import { ByteArena, type PackedArena, ByteInterner, type PackedStrings } from "./byte-interner.ts";

/** A response, counted once. */
export interface ScannedResponse {
  readonly model: string;
  /** Milliseconds since the epoch, or null. */
  readonly at: number | null;
  readonly usage: TokenUsage;
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly terms?: PriceTerms | undefined;
  readonly lastCall?: LastCall | null | undefined;
}

/** A table's content, as transferred from one thread to another. */
export interface PackedTable {
  readonly messages: PackedStrings;
  readonly texts: PackedStrings;
  readonly requests: PackedArena;
  readonly links: Int32Array<ArrayBuffer>;
  readonly figures: Float64Array<ArrayBuffer>;
  readonly details: Float64Array<ArrayBuffer>;
  readonly detailCount: number;
  readonly heads: Uint32Array<ArrayBuffer>;
  readonly size: number;
}

// Indexes of a slot's integers.
const [nextAt, messageAt, requestAt, unitAt, modelAt, cwdAt, sessionAt, flagsAt] = [0, 1, 2, 3, 4, 5, 6, 7];
const linkWidth = 8;
// Indexes of a slot's figures.
const [timeAt, inputAt, outputAt, created5mAt, created1hAt, readAt] = [0, 1, 2, 3, 4, 5];
const figureWidth = 6;
// A slot's flags, and above them the number of its details, or 0.
const [sidechainFlag, copyFlag, detailsShift] = [1, 2, 2];
// Indexes within details: few responses have any, so they are apart. Those with the number 0 stay unused.
const [termsAt, lastContextAt, lastOutputAt] = [0, 1, 2];
const detailsWidth = 3;

/**
 * Counts each API response once, by the same rules as `ResponseSet`. It uses a few flat arrays instead of one object
 * per response: a year of transcripts fits in little memory, and moves between threads without being copied.
 */
export class ResponseTable {
  readonly messages: ByteInterner;
  /** Models, folders and sessions. */
  readonly texts: ByteInterner;
  /** A slot's request id; the same id may appear twice, under different messages. */
  readonly #requests: ByteArena;
  #links: Int32Array<ArrayBuffer>;
  #figures: Float64Array<ArrayBuffer>;
  #details: Float64Array<ArrayBuffer>;
  #detailCount: number;
  #size: number;
  /** A message's first slot + 1, or 0. Its other slots are linked from there, newest first. */
  #heads: Uint32Array<ArrayBuffer>;

  /** @param packed another thread's table, which becomes this one */
  constructor(packed?: PackedTable) {
    this.messages = new ByteInterner(packed?.messages);
    this.texts = new ByteInterner(packed?.texts);
    this.#requests = new ByteArena(packed?.requests);
    this.#links = packed?.links ?? new Int32Array(linkWidth << 12);
    this.#figures = packed?.figures ?? new Float64Array(figureWidth << 12);
    this.#details = packed?.details ?? new Float64Array(detailsWidth << 4);
    this.#detailCount = packed?.detailCount ?? 1;
    this.#size = packed?.size ?? 0;
    this.#heads = packed?.heads ?? new Uint32Array(1 << 13);
  }

  add(row: ResponseRow): void {
    if (row.message >= this.#heads.length) this.#growHeads(row.message);
    const flags = Number(row.isSidechain) * sidechainFlag + Number(row.isCopy) * copyFlag;
    const head = (this.#heads[row.message] ?? 0) - 1;
    for (let slot = head; slot >= 0; slot = this.#link(slot, nextAt)) {
      if (((this.#link(slot, flagsAt) ^ flags) & sidechainFlag) !== 0 || !this.#hasRequest(slot, row))
        continue;
      if (this.#isBetter(row, slot)) this.#write(slot, row, flags);
      return;
    }
    const slot = this.#size;
    if ((slot + 1) * linkWidth > this.#links.length) this.#grow();
    this.#size = slot + 1;
    this.#links[slot * linkWidth + nextAt] = head;
    this.#links[slot * linkWidth + requestAt] =
      row.requestEnd < 0 ? -1 : this.#requests.append(row.requestBytes, row.requestStart, row.requestEnd);
    this.#heads[row.message] = slot + 1;
    this.#links[slot * linkWidth + flagsAt] = 0;
    this.#write(slot, row, flags);
  }

  /**
   * Moves the copies of responses that both tables have from another one into this one, so that each is counted once.
   * These are few: moving everything would take longer than reading 40 MB.
   */
  takeShared(other: ResponseTable): void {
    let texts: Uint32Array | undefined;
    const row = emptyRow();
    row.requestBytes = other.#requests.bytes;
    for (let theirs = 0; theirs < other.messages.size; theirs += 1) {
      const head = (other.#heads[theirs] ?? 0) - 1;
      const message = head < 0 ? -1 : this.messages.find(other.messages, theirs);
      if (message < 0 || (this.#heads[message] ?? 0) === 0) continue;
      texts ??= this.texts.absorb(other.texts);
      other.#heads[theirs] = 0;
      row.message = message;
      for (let slot = head; slot >= 0; slot = other.#link(slot, nextAt)) {
        other.#read(slot, row, texts);
        this.add(row);
      }
    }
  }

  pack(): PackedTable {
    return {
      messages: this.messages.pack(),
      texts: this.texts.pack(),
      requests: this.#requests.pack(),
      links: this.#links,
      figures: this.#figures,
      details: this.#details,
      detailCount: this.#detailCount,
      heads: this.#heads,
      size: this.#size,
    };
  }

  *responses(): Generator<ScannedResponse> {
    const texts = Array.from({ length: this.texts.size }, (_, number) => this.texts.text(number));
    for (const head of this.#heads) {
      if (head === 0) continue;
      if (this.#link(head - 1, nextAt) < 0) yield this.#response(head - 1, texts);
      else for (const slot of this.#united(head - 1)) yield this.#response(slot, texts);
    }
  }

  #response(slot: number, texts: readonly string[]): ScannedResponse {
    const at = this.#figure(slot, timeAt);
    const response = {
      model: texts[this.#link(slot, modelAt)] ?? "",
      at: Number.isNaN(at) ? null : at,
      usage: {
        input: this.#figure(slot, inputAt),
        output: this.#figure(slot, outputAt),
        cacheCreation5m: this.#figure(slot, created5mAt),
        cacheCreation1h: this.#figure(slot, created1hAt),
        cacheRead: this.#figure(slot, readAt),
      },
      sessionId: texts[this.#link(slot, sessionAt)] ?? "",
      cwd: texts[this.#link(slot, cwdAt)] ?? null,
    };
    if (this.#detailsOf(slot) === 0) return response;
    const context = this.#detail(slot, lastContextAt);
    const output = this.#detail(slot, lastOutputAt);
    const lastCall = Number.isNaN(context) ? undefined : context < 0 ? null : { context, output };
    return { ...response, terms: termsOfCode(this.#detail(slot, termsAt)), lastCall };
  }

  /** The number of a slot's details, or 0. */
  #detailsOf(slot: number): number {
    return this.#link(slot, flagsAt) >> detailsShift;
  }

  /** One of a slot's details; for a slot without them, what those of an ordinary response are. */
  #detail(slot: number, field: number): number {
    const number = this.#detailsOf(slot);
    if (number === 0) return field === lastContextAt ? Number.NaN : 0;
    return this.#details[number * detailsWidth + field] ?? 0;
  }

  /** Orders copies by their details. */
  #rank(slot: number): number {
    return rankOf(this.#detail(slot, termsAt), this.#detail(slot, lastContextAt));
  }

  /** The slots of a message that count, which differ in request id or chain. See `ResponseSet`. */
  #united(head: number): number[] {
    const slots: number[] = [];
    for (let slot = head; slot >= 0; slot = this.#link(slot, nextAt)) slots.push(slot);
    const main = slots.filter((slot) => (this.#link(slot, flagsAt) & sidechainFlag) === 0);
    if (main.length === 0) return [this.#best(slots)];
    const named = main.filter((slot) => this.#link(slot, requestAt) >= 0);
    if (named.length <= 1) return [this.#best(main)];
    const unnamed = main.find((slot) => this.#link(slot, requestAt) < 0);
    const largest = this.#best(named);
    return named.map((slot) =>
      slot === largest && unnamed !== undefined ? this.#best([slot, unnamed]) : slot,
    );
  }

  #best(slots: readonly number[]): number {
    return slots.reduce((held, slot) => (this.#compare(slot, held) > 0 ? slot : held));
  }

  /** Positive when `slot` is the better of the two copies; both are of the same chain. */
  #compare(slot: number, held: number): number {
    return (
      this.#figure(slot, outputAt) - this.#figure(held, outputAt) ||
      this.#total(slot) - this.#total(held) ||
      this.#rank(slot) - this.#rank(held) ||
      earlier(this.#figure(slot, timeAt), this.#figure(held, timeAt)) ||
      this.#figure(slot, inputAt) - this.#figure(held, inputAt) ||
      this.#figure(slot, created5mAt) - this.#figure(held, created5mAt) ||
      this.#figure(slot, created1hAt) - this.#figure(held, created1hAt) ||
      (this.#link(held, flagsAt) & copyFlag) - (this.#link(slot, flagsAt) & copyFlag) ||
      this.#link(held, unitAt) - this.#link(slot, unitAt)
    );
  }

  #hasRequest(slot: number, { requestBytes, requestStart, requestEnd }: ResponseRow): boolean {
    const number = this.#link(slot, requestAt);
    if (number < 0 || requestEnd < 0) return number < 0 && requestEnd < 0;
    return this.#requests.holds(number, requestBytes, requestStart, requestEnd);
  }

  #isBetter(row: ResponseRow, held: number): boolean {
    const total = row.input + row.output + row.cacheCreation5m + row.cacheCreation1h + row.cacheRead;
    const difference =
      row.output - this.#figure(held, outputAt) ||
      total - this.#total(held) ||
      rankOf(row.terms, row.lastContext) - this.#rank(held) ||
      earlier(row.at, this.#figure(held, timeAt)) ||
      row.input - this.#figure(held, inputAt) ||
      row.cacheCreation5m - this.#figure(held, created5mAt) ||
      row.cacheCreation1h - this.#figure(held, created1hAt) ||
      (this.#link(held, flagsAt) & copyFlag) - Number(row.isCopy) * copyFlag ||
      this.#link(held, unitAt) - row.unit;
    return difference > 0;
  }

  #total(slot: number): number {
    let total = 0;
    for (let field = inputAt; field <= readAt; field += 1) total += this.#figure(slot, field);
    return total;
  }

  #link(slot: number, field: number): number {
    return this.#links[slot * linkWidth + field] ?? 0;
  }

  #figure(slot: number, field: number): number {
    return this.#figures[slot * figureWidth + field] ?? 0;
  }

  #write(slot: number, row: ResponseRow, flags: number): void {
    const link = slot * linkWidth;
    this.#links[link + messageAt] = row.message;
    this.#links[link + unitAt] = row.unit;
    this.#links[link + modelAt] = row.model;
    this.#links[link + cwdAt] = row.cwd;
    this.#links[link + sessionAt] = row.session;
    this.#links[link + flagsAt] = flags | (this.#writeDetails(slot, row) << detailsShift);
    const figure = slot * figureWidth;
    this.#figures[figure + timeAt] = row.at;
    this.#figures[figure + inputAt] = row.input;
    this.#figures[figure + outputAt] = row.output;
    this.#figures[figure + created5mAt] = row.cacheCreation5m;
    this.#figures[figure + created1hAt] = row.cacheCreation1h;
    this.#figures[figure + readAt] = row.cacheRead;
  }

  /** Returns the number of the details, or 0. */
  #writeDetails(slot: number, { terms, lastContext, lastOutput }: ResponseRow): number {
    if (terms === 0 && Number.isNaN(lastContext)) return 0;
    const held = this.#detailsOf(slot);
    const number = held === 0 ? this.#detailCount : held;
    if (held === 0) this.#detailCount += 1;
    const start = number * detailsWidth;
    if (start === this.#details.length) {
      const details = new Float64Array(start * 2);
      details.set(this.#details);
      this.#details = details;
    }
    this.#details[start + termsAt] = terms;
    this.#details[start + lastContextAt] = lastContext;
    this.#details[start + lastOutputAt] = lastOutput;
    return number;
  }

  /** Fills in a row with a slot's copy. @param texts the row's numbers for this table's texts */
  #read(slot: number, row: ResponseRow, texts: Uint32Array): void {
    const number = this.#link(slot, requestAt);
    row.requestStart = number < 0 ? 0 : this.#requests.start(number);
    row.requestEnd = number < 0 ? -1 : this.#requests.end(number);
    // A missing value, -1, stays -1.
    row.cwd = texts[this.#link(slot, cwdAt)] ?? -1;
    row.model = texts[this.#link(slot, modelAt)] ?? 0;
    row.session = texts[this.#link(slot, sessionAt)] ?? 0;
    row.unit = this.#link(slot, unitAt);
    const flags = this.#link(slot, flagsAt);
    row.isSidechain = (flags & sidechainFlag) !== 0;
    row.isCopy = (flags & copyFlag) !== 0;
    row.at = this.#figure(slot, timeAt);
    row.input = this.#figure(slot, inputAt);
    row.output = this.#figure(slot, outputAt);
    row.cacheCreation5m = this.#figure(slot, created5mAt);
    row.cacheCreation1h = this.#figure(slot, created1hAt);
    row.cacheRead = this.#figure(slot, readAt);
    row.terms = this.#detail(slot, termsAt);
    row.lastContext = this.#detail(slot, lastContextAt);
    row.lastOutput = this.#detail(slot, lastOutputAt);
  }

  #grow(): void {
    const links = new Int32Array(this.#links.length * 2);
    links.set(this.#links);
    this.#links = links;
    const figures = new Float64Array(this.#figures.length * 2);
    figures.set(this.#figures);
    this.#figures = figures;
  }

  #growHeads(message: number): void {
    const heads = new Uint32Array(Math.max(message + 1, this.#heads.length * 2));
    heads.set(this.#heads);
    this.#heads = heads;
  }
}

/**
 * Unites the tables of several threads: afterwards no two of them have a copy of the same response.
 * @param packed the other threads' tables
 */
export function uniteTables(own: ResponseTable, packed: readonly PackedTable[]): ResponseTable[] {
  const tables = [own];
  for (const each of packed) {
    const other = new ResponseTable(each);
    for (const table of tables) table.takeShared(other);
    tables.push(other);
  }
  return tables;
}

function rankOf(terms: number, lastContext: number): number {
  return terms * 2 + Number(!Number.isNaN(lastContext));
}

/** Positive when `at` is earlier than `held`; a missing time sorts last. */
function earlier(at: number, held: number): number {
  if (Number.isNaN(at)) return Number.isNaN(held) ? 0 : -1;
  return Number.isNaN(held) ? 1 : held - at;
}
