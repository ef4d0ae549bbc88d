/** The length of a time as agents write it, `2026-11-21T20:47:49.182Z`. */
const usualLength = 24;
/** The length of its part that the times of a minute have in common. */
const minuteLength = 17;

/** Reads times as agents write them, without making strings. Most rows are of the minute of the row before. */
export class UsualTimes {
  /** The last minute read, and its milliseconds since the epoch: `NaN` for none that is usual. */
  readonly #minute = new Uint8Array(minuteLength);
  #since = Number.NaN;

  /**
   * Milliseconds since the epoch of such a time; `NaN` for any other text, and for days that not every month has: those
   * are left to `Date.parse`.
   */
  read(bytes: Uint8Array, start: number, end: number): number {
    if (end - start !== usualLength || bytes[start + 19] !== 0x2e || bytes[start + 23] !== 0x5a)
      return Number.NaN;
    if (!this.#isSameMinute(bytes, start)) this.#readMinute(bytes, start);
    const second = digitsAt(bytes, start + minuteLength, 2);
    return second < 60 ? this.#since + second * 1000 + digitsAt(bytes, start + 20, 3) : Number.NaN;
  }

  #isSameMinute(bytes: Uint8Array, start: number): boolean {
    const minute = this.#minute;
    // The last digits differ most often.
    for (let index = minuteLength - 1; index >= 0; index -= 1) {
      if (minute[index] !== bytes[start + index]) return false;
    }
    return true;
  }

  #readMinute(bytes: Uint8Array, start: number): void {
    const own = this.#minute;
    for (let index = 0; index < minuteLength; index += 1) own[index] = bytes[start + index] ?? 0;
    this.#since = minuteOf(own);
  }
}

function minuteOf(bytes: Uint8Array): number {
  const hasMarks =
    bytes[4] === 0x2d && bytes[7] === 0x2d && bytes[10] === 0x54 && bytes[13] === 0x3a && bytes[16] === 0x3a;
  const year = digitsAt(bytes, 0, 4);
  const month = digitsAt(bytes, 5, 2);
  const day = digitsAt(bytes, 8, 2);
  const hour = digitsAt(bytes, 11, 2);
  const minute = digitsAt(bytes, 14, 2);
  const isDay = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 ? 28 : 30);
  if (!hasMarks || !isDay || !(hour < 24 && minute < 60)) return Number.NaN;
  return Date.UTC(year, month - 1, day, hour, minute);
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
