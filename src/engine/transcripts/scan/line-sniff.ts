import { stringStop, wordsOf } from "./byte-words.ts";
import { holdsAt } from "./bytes.ts";
import { wantedAttachments, wantedTypes } from "./row-shape.ts";

const ascii = (text: string) => Buffer.from(text);
const typeMember = ascii('"type":"');
const attachmentMember = ascii('"attachment":{"type":"');
const quoted = (type: string) => ascii(`${type}"`);
const types = wantedTypes.map(quoted);
const attachments = wantedAttachments.map(quoted);
/** Members inspected before giving up. Agents write a row's type, or its attachment's type, among the first few. */
const patience = 24;

/**
 * Whether a line must be read. Inspects only its first members, up to its type: most of a transcript's bytes are tool
 * results, which are thus never touched. False is certain, for rows that name their type once and have an `attachment`
 * only when their type says so; anything unusual is true.
 */
export function mayBeWanted(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== 0x7b) return true;
  let at = start + 1;
  for (let member = 0; member < patience; member += 1) {
    if (bytes[at] !== 0x22 || at >= end) return true;
    const second = bytes[at + 1];
    if (second === 0x74 && holdsAt(bytes, at, typeMember))
      return isWantedType(bytes, at + typeMember.length - 1, end);
    if (second === 0x61 && holdsAt(bytes, at, attachmentMember))
      return isAmong(attachments, bytes, at + attachmentMember.length);
    at = memberEnd(bytes, at, end);
    if (bytes[at] !== 0x2c) return true;
    at += 1;
  }
  return true;
}

/** `start` is the position of the opening quote. */
function isWantedType(bytes: Uint8Array, start: number, end: number): boolean {
  const isPlain = stringEnd(bytes, start, end) < end;
  return !isPlain || isAmong(types, bytes, start + 1);
}

function isAmong(texts: readonly Buffer[], bytes: Uint8Array, start: number): boolean {
  for (const text of texts) if (holdsAt(bytes, start, text)) return true;
  return false;
}

/** The position after a member whose value is a plain string, number or literal; for other values it is unspecified. */
function memberEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = stringEnd(bytes, start, end);
  if (bytes[at] !== 0x3a) return end;
  at += 1;
  if (bytes[at] === 0x22) return stringEnd(bytes, at, end);
  while (at < end && isScalar(bytes[at] ?? 0)) at += 1;
  return at;
}

/** The position after a string's closing quote; `end` when it contains an escape or a control character, or never closes. */
function stringEnd(bytes: Uint8Array, start: number, end: number): number {
  const stop = stringStop(wordsOf(bytes), start + 1, end);
  return stop < end && bytes[stop] === 0x22 ? stop + 1 : end;
}

/** Whether a byte is a letter, digit, sign or point, as in numbers and literals. */
function isScalar(byte: number): boolean {
  return (
    (byte >= 0x2b && byte <= 0x2e && byte !== 0x2c) ||
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a)
  );
}
