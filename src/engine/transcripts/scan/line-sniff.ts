import { stringStop, wordsOf } from "./byte-words.ts";
import { holdsAt } from "./bytes.ts";
import { wantedAttachments, wantedTypes } from "./row-shape.ts";

const ascii = (text: string) => Buffer.from(text);
const typeMember = ascii('"type":"');
const attachmentMember = ascii('"attachment":{"type":"');
const quoted = (type: string) => ascii(`${type}"`);
const types = wantedTypes.map(quoted);
const attachments = wantedAttachments.map(quoted);

/**
 * Whether a line must be read. Inspects only its first members, up to its type or its attachment's type, as long as they
 * are plain: most of a transcript's bytes are tool results, which are thus never touched. False is certain, for rows that
 * name their type once and have an `attachment` only when their type says so; anything unusual is true.
 */
export function mayBeWanted(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== 0x7b) return true;
  let at = start + 1;
  while (bytes[at] === 0x22 && at < end) {
    const second = bytes[at + 1];
    if (second === 0x74 && holdsAt(bytes, at, typeMember))
      return isOneOf(types, bytes, at + typeMember.length - 1, end);
    if (second === 0x61 && holdsAt(bytes, at, attachmentMember))
      return isOneOf(attachments, bytes, at + attachmentMember.length - 1, end);
    at = memberEnd(bytes, at, end);
    if (bytes[at] !== 0x2c) return true;
    at += 1;
  }
  return true;
}

/** True also for a string that is not plain. `start` is the position of its opening quote. */
function isOneOf(texts: readonly Buffer[], bytes: Uint8Array, start: number, end: number): boolean {
  const stop = stringStop(wordsOf(bytes), start + 1, end);
  if (stop >= end || bytes[stop] !== 0x22) return true;
  for (const text of texts) if (holdsAt(bytes, start + 1, text)) return true;
  return false;
}

/** The position after a member whose value is a string, number or literal; for other values it is unspecified. */
function memberEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = stringEnd(bytes, start, end);
  if (bytes[at] !== 0x3a) return end;
  at += 1;
  if (bytes[at] === 0x22) return escapedEnd(bytes, at, end);
  while (at < end && isScalar(bytes[at] ?? 0)) at += 1;
  return at;
}

/** The position after a string's closing quote; `end` when it contains an escape or a control character, or never closes. */
function stringEnd(bytes: Uint8Array, start: number, end: number): number {
  const stop = stringStop(wordsOf(bytes), start + 1, end);
  return stop < end && bytes[stop] === 0x22 ? stop + 1 : end;
}

/** The same for a string that may contain escapes. */
function escapedEnd(bytes: Uint8Array, start: number, end: number): number {
  const words = wordsOf(bytes);
  let stop = stringStop(words, start + 1, end);
  while (stop < end && bytes[stop] === 0x5c) stop = stringStop(words, stop + 2, end);
  return stop < end && bytes[stop] === 0x22 ? stop + 1 : end;
}

/** Whether a byte is a letter, digit, sign or point, as in numbers and literals. */
function isScalar(byte: number): boolean {
  return (
    (byte >= 0x2b && byte <= 0x2e && byte !== 0x2c) ||
    (byte >= 0x30 && byte <= 0x39) ||
    ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)
  );
}
