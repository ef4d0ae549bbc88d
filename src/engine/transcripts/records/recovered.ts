import { JsonCursor } from "../scan/json-cursor.ts";

const [openObject, quote, closeObject, lineFeed, comma] = [0x7b, 0x22, 0x7d, 0x0a, 0x2c];
/** The bytes that may follow a value inside another one: a comma, a closing bracket, a closing brace. */
const inside = new Set([comma, 0x5d, closeObject]);
/** A byte order mark's first byte. */
const markStart = 0xef;
/** Maximum bytes read per byte of a line: a hostile line must not take long. */
const maxEffort = 32;

/**
 * Returns the whole records in a line that is not one record itself. An agent that was killed leaves the beginning of a
 * record, or a block of zero bytes, and the next record follows on the same line. Two records also share a line when
 * two processes append at once.
 *
 * A record is a JSON object that no other value surrounds: another record, zero bytes or the line's end follows it. A
 * comma may follow too, if the line begins with whole records. Objects inside the beginning of a record are not
 * records. Empty for a line that is one whole record.
 */
export function recordsIn(line: Buffer): Buffer[] {
  // The cursor needs a line feed at the end.
  const bytes = Buffer.alloc(line.length + 1, lineFeed);
  line.copy(bytes);
  const cursor = new JsonCursor();
  const records: Buffer[] = [];
  const [first, end] = [blankEnd(bytes, 0, line.length), line.length];
  let effort = line.length * maxEffort;
  /** The end of the whole records with which the line begins. */
  let outer = first;
  for (let at = nextStart(bytes, first); at >= 0 && at < end && effort > 0;) {
    const after = objectEnd(cursor, bytes, at, end);
    effort -= (after ?? cursor.failedAt) - at;
    const next = after === null ? end : blankEnd(bytes, after, end);
    const isOuter = after !== null && at === outer;
    if (after === null || (!isOuter && inside.has(bytes[next] ?? 0))) at = nextStart(bytes, at + 1);
    else {
      if (at === first && next === end && isPlain(bytes, 0, at) && isPlain(bytes, after, end)) return [];
      records.push(bytes.subarray(at, after));
      if (isOuter) outer = bytes[next] === comma ? blankEnd(bytes, next + 1, end) : next;
      at = nextStart(bytes, after);
    }
  }
  return records;
}

/**
 * The start of each agent's records, or a member near the start. In a line that is skipped unread, it reveals a second
 * record.
 */
const starts = {
  claude: [
    '{"parentUuid":',
    '"type":"assistant"',
    '{"type":"cost-state"',
    '{"type":"api-request"',
    '{"type":"summary"',
    '{"type":"ai-title"',
    '{"type":"custom-title"',
  ],
  codex: ['{"timestamp":"'],
  copilot: [
    '{"type":"session.',
    '{"type":"assistant.',
    '{"type":"user.',
    '{"type":"tool.',
    '{"type":"subagent.',
    '{"type":"abort"',
  ],
};

/** Whether a line that was recognised by its first bytes may hold a second record. */
export function startsAgain(line: Buffer, agent: keyof typeof starts): boolean {
  return starts[agent].some((start) => line.indexOf(start, 1) > 0);
}

/** Reads a line. If its reader cannot read it as one record, reads each whole record in it. */
export function readRecords(line: Buffer, read: (record: Buffer) => boolean): void {
  if (read(line)) return;
  for (const record of recordsIn(line)) read(record);
}

/**
 * Whether bytes are whole records, one or several, with only white space and zero bytes between them. After the
 * beginning of a record nothing is certain: an apparent next one may be inside it.
 */
export function areWholeRecords(line: Buffer): boolean {
  const last = line.findLastIndex((byte) => !isSpace(byte));
  if (line[last] !== closeObject) return false;
  const bytes = Buffer.alloc(line.length + 1, lineFeed);
  line.copy(bytes);
  const cursor = new JsonCursor();
  for (let at = blankEnd(bytes, 0, line.length); at <= last;) {
    const after = bytes[at] === openObject ? objectEnd(cursor, bytes, at, line.length) : null;
    if (after === null) return false;
    at = blankEnd(bytes, after, line.length);
  }
  return true;
}

/** The end of the object that begins here; null if it is not one. */
function objectEnd(cursor: JsonCursor, bytes: Buffer, start: number, end: number): number | null {
  cursor.reset(bytes, start, end);
  cursor.skip();
  return cursor.isValid ? cursor.at : null;
}

/** The next place where a record may begin, or -1. An object begins with a member, or is empty. */
function nextStart(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(openObject, from); at >= 0; at = bytes.indexOf(openObject, at + 1)) {
    let next = at + 1;
    while (isSpace(bytes[next] ?? 0)) next += 1;
    if (bytes[next] === quote || bytes[next] === closeObject) return at;
  }
  return -1;
}

/** The first byte that is not white space, a zero byte or a byte order mark. */
function blankEnd(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at] ?? 0;
    if (byte === markStart && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) at += 3;
    else if (byte === 0 || isSpace(byte)) at += 1;
    else break;
  }
  return Math.min(at, end);
}

/** Whether bytes hold no zero byte: readers of records skip white space and a byte order mark. */
function isPlain(bytes: Buffer, from: number, to: number): boolean {
  return !bytes.subarray(from, to).includes(0);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
