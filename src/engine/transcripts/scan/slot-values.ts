import { decodeText, holdsAt } from "./bytes.ts";
import { rowEnd } from "./row-shape.ts";

/** The length of a time as agents write it, `2026-11-21T20:47:49.182Z`. */
const usualLength = 24;

/**
 * Milliseconds since the epoch of such a time, read without making a string. `NaN` for any other text, and for days
 * that not every month has: those are left to `Date.parse`.
 */
function readUsualTime(bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== usualLength || !hasMarks(bytes, start)) return Number.NaN;
  const hour = digitsAt(bytes, start + 11, 2);
  const minute = digitsAt(bytes, start + 14, 2);
  const second = digitsAt(bytes, start + 17, 2);
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + digitsAt(bytes, start + 20, 3);
  return startOfDay(bytes, start) + time;
}

/** The last day read, such as `2026-11-21`, and its start: most rows are of the day of the row before. */
const lastDay = new Uint8Array(10);
let lastDayStart = Number.NaN;

function startOfDay(bytes: Uint8Array, start: number): number {
  if (holdsAt(bytes, start, lastDay)) return lastDayStart;
  const year = digitsAt(bytes, start, 4);
  const month = digitsAt(bytes, start + 5, 2);
  const day = digitsAt(bytes, start + 8, 2);
  const isDay = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 ? 28 : 30);
  if (!isDay) return Number.NaN;
  lastDay.set(bytes.subarray(start, start + lastDay.length));
  lastDayStart = Date.UTC(year, month - 1, day);
  return lastDayStart;
}

/** Reads a number; `NaN` for anything but digits, for which every comparison is false. */
function digitsAt(bytes: Uint8Array, start: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index += 1) {
    const digit = (bytes[start + index] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function hasMarks(bytes: Uint8Array, start: number): boolean {
  return (
    bytes[start + 4] === 0x2d &&
    bytes[start + 7] === 0x2d &&
    bytes[start + 10] === 0x54 &&
    bytes[start + 13] === 0x3a &&
    bytes[start + 16] === 0x3a &&
    bytes[start + 19] === 0x2e &&
    bytes[start + 23] === 0x5a
  );
}

export const [absent, present, wrong] = [0, 1, 2];

/** Values by slot. */
export interface SlotArrays {
  /** `absent` (or null), `present`, or `wrong`: there, but of another type. */
  readonly states: Uint8Array;
  /** Bounds of a text without its quotes, or of an object with its braces; whether a text contains a backslash. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly escapes: Uint8Array;
  /** A count, or 1 for true. */
  readonly numbers: Float64Array;
}

/**
 * A row's values by slot, as offsets into its bytes. Reused from row to row, so that reading one makes no objects.
 */
export class RowValues implements SlotArrays {
  bytes: Buffer = Buffer.alloc(0);
  readonly states: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly escapes: Uint8Array;
  readonly numbers: Float64Array;

  constructor({ states, starts, ends, escapes, numbers }: SlotArrays = newArrays()) {
    this.states = states;
    this.starts = starts;
    this.ends = ends;
    this.escapes = escapes;
    this.numbers = numbers;
  }

  has(slot: number): boolean {
    return this.states[slot] === present;
  }

  isWrong(slot: number): boolean {
    return this.states[slot] === wrong;
  }

  isTrue(slot: number): boolean {
    return this.has(slot) && this.numbers[slot] === 1;
  }

  /** A count, or 0 when there is none. */
  count(slot: number): number {
    return this.has(slot) ? (this.numbers[slot] ?? 0) : 0;
  }

  start(slot: number): number {
    return this.starts[slot] ?? 0;
  }

  end(slot: number): number {
    return this.ends[slot] ?? 0;
  }

  isEscaped(slot: number): boolean {
    return this.escapes[slot] === 1;
  }

  /** The JSON of an object in a slot, byte by byte. The object must be present. */
  json(slot: number): string {
    return this.bytes.toString("latin1", this.start(slot), this.end(slot));
  }

  /** The text in a slot. It must be present. */
  text(slot: number): string {
    return decodeText(this.bytes, this.start(slot), this.end(slot), this.isEscaped(slot));
  }

  hasText(slot: number): boolean {
    return this.has(slot) && this.end(slot) > this.start(slot);
  }

  /** Whether a text equals `expected`, which is plain ASCII. */
  isText(slot: number, expected: Buffer): boolean {
    if (!this.has(slot)) return false;
    if (this.isEscaped(slot)) return this.text(slot) === expected.toString();
    const start = this.start(slot);
    return this.end(slot) - start === expected.length && holdsAt(this.bytes, start, expected);
  }

  /** Whether a text ends in `ending`, which is plain ASCII. */
  endsWith(slot: number, ending: Buffer): boolean {
    if (!this.has(slot)) return false;
    if (this.isEscaped(slot)) return this.text(slot).endsWith(ending.toString());
    const start = this.end(slot) - ending.length;
    return start >= this.start(slot) && holdsAt(this.bytes, start, ending);
  }

  /** A time in milliseconds since the epoch, as `Date.parse` reads it, or `NaN`. */
  time(slot: number): number {
    if (!this.has(slot)) return Number.NaN;
    const usual = readUsualTime(this.bytes, this.start(slot), this.end(slot));
    return Number.isNaN(usual) ? Date.parse(this.text(slot)) : usual;
  }
}

function newArrays(): SlotArrays {
  return {
    states: new Uint8Array(rowEnd),
    starts: new Int32Array(rowEnd),
    ends: new Int32Array(rowEnd),
    escapes: new Uint8Array(rowEnd),
    numbers: new Float64Array(rowEnd),
  };
}
