import type { TextSpan } from "./text-span.ts";

/** The text of a JSON string, from the bytes it stands in. */
export function decodeText(bytes: Buffer, span: TextSpan): string {
  const raw = bytes.toString("utf8", span.start, span.end);
  if (!span.isEscaped) return raw;
  const text: unknown = JSON.parse(`"${raw}"`);
  return String(text);
}

/** Whether a JSON string is `text`, which is plain ASCII. */
export function isText(bytes: Buffer, span: TextSpan, text: Uint8Array): boolean {
  if (!span.isPresent) return false;
  if (span.isEscaped) return decodeText(bytes, span) === Buffer.from(text).toString();
  return span.end - span.start === text.length && holdsAt(bytes, span.start, text);
}

/** Whether a JSON string begins with `beginning`, which is plain ASCII. */
export function startsWithText(bytes: Buffer, span: TextSpan, beginning: Uint8Array): boolean {
  if (!span.isPresent) return false;
  if (span.isEscaped) return decodeText(bytes, span).startsWith(Buffer.from(beginning).toString());
  return span.end - span.start >= beginning.length && holdsAt(bytes, span.start, beginning);
}

/** Whether a JSON string ends in `ending`, which is plain ASCII. */
export function endsWithText(bytes: Buffer, span: TextSpan, ending: Uint8Array): boolean {
  if (!span.isPresent) return false;
  if (span.isEscaped) return decodeText(bytes, span).endsWith(Buffer.from(ending).toString());
  const start = span.end - ending.length;
  return start >= span.start && holdsAt(bytes, start, ending);
}

/** Whether `expected` stands at `start`. */
export function holdsAt(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[start + index] !== expected[index]) return false;
  }
  return true;
}

/**
 * Milliseconds since the epoch of a time as `Date.parse` understands it, or `NaN`. The form agents write,
 * `2026-11-21T20:47:49.182Z`, is read without making a string.
 */
export function readTime(bytes: Buffer, span: TextSpan): number {
  if (!span.isPresent) return Number.NaN;
  if (span.end - span.start !== 24 || span.isEscaped) return Date.parse(decodeText(bytes, span));
  const { start } = span;
  const year = digitsAt(bytes, start, 4);
  const month = digitsAt(bytes, start + 5, 2);
  const day = digitsAt(bytes, start + 8, 2);
  const hour = digitsAt(bytes, start + 11, 2);
  const minute = digitsAt(bytes, start + 14, 2);
  const second = digitsAt(bytes, start + 17, 2);
  const millisecond = digitsAt(bytes, start + 20, 3);
  const isInRange =
    year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28 + Number(month !== 2) * 2;
  const isSound = isInRange && hour < 24 && minute < 60 && second < 60 && hasMarks(bytes, start);
  // `NaN` in any part makes its comparison false, or the sum `NaN`; days that not every month has are left to the engine.
  if (!isSound || !(hour + minute + second + millisecond >= 0)) return Date.parse(decodeText(bytes, span));
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

/** Non-digits give `NaN`. */
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
