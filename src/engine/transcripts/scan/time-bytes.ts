/** The length of a time as agents write it, `2026-11-21T20:47:49.182Z`. */
const usualLength = 24;

/**
 * Milliseconds since the epoch of such a time, read without making a string; `NaN` for any other text, and for days that
 * not every month has: those are left to `Date.parse`.
 */
export function readUsualTime(bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== usualLength || !hasMarks(bytes, start)) return Number.NaN;
  const year = digitsAt(bytes, start, 4);
  const month = digitsAt(bytes, start + 5, 2);
  const day = digitsAt(bytes, start + 8, 2);
  const hour = digitsAt(bytes, start + 11, 2);
  const minute = digitsAt(bytes, start + 14, 2);
  const second = digitsAt(bytes, start + 17, 2);
  const isDay = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 ? 28 : 30);
  const isTime = hour < 24 && minute < 60 && second < 60;
  if (!isDay || !isTime) return Number.NaN;
  return Date.UTC(year, month - 1, day, hour, minute, second, digitsAt(bytes, start + 20, 3));
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
