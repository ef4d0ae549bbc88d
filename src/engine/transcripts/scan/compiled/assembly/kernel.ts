/**
 * Reads rows in the form in which agents write them: without white space, a line feed after each. It declines whatever is
 * unusual, which `ShapeReader` then reads.
 *
 * AssemblyScript, compiled by `npm run generate -- kernel` into `code.generated.ts`: the same in JavaScript would be compiled again in
 * each thread of each run, which takes longer than reading 200 MB. Memory is addressed directly, and nothing is allocated.
 * Every loop ends at the line feed, at the latest.
 */

// The outcomes of `read`. Only of a `whole` row are the slots its own.
const declined: i32 = 0;
const unwanted: i32 = 1;
const whole: i32 = 2;
const joined: i32 = 3;

// A row's values by slot, as in `RowValues`.
const mostSlots: i32 = 64;
export const states: usize = memory.data(64, 8);
export const escapes: usize = memory.data(64, 8);
export const starts: usize = memory.data(64 * 4, 8);
export const ends: usize = memory.data(64 * 4, 8);
export const numbers: usize = memory.data(64 * 8, 8);
const absent: u8 = 0;
const present: u8 = 1;
const wrong: u8 = 2;

/** The row's shape: see `layOut`. The first table is the row's own. */
export const tables: usize = memory.data(1 << 14, 8);
/** In a table: the slot that marks members which the shape does not name, or 0. */
const othersAt: usize = 260;
const entriesAt: usize = 264;
const entrySize: usize = 16;
// Kinds of members, as `layOut` numbers them.
const text: u8 = 1;
const count: u8 = 2;
const flag: u8 = 3;
const list: u8 = 5;
const object: u8 = 6;

/** The closing byte of each open container while a value is skipped. */
export const closers: usize = memory.data(64, 8);
const deepest: i32 = 64;

/** Where the lines are. What is read at its end reaches beyond it: see `mostBeyond`. */
export const input: usize = memory.data(8, 8);

let at: usize = 0;
let end: usize = 0;
/** Whether the row may yet turn out to be unwanted: so far it has only plain members, and none that decides. */
let isUndecided: bool = false;
let isUnwanted: bool = false;

/** @param from offset of the row's first byte in the input, `to` that of its line feed */
export function read(from: i32, to: i32): i32 {
  at = input + <usize>from;
  end = input + <usize>to;
  if (load<u8>(end) != 0x0a || load<u8>(at) != 0x7b) return declined;
  isUndecided = true;
  isUnwanted = false;
  memory.fill(states, 0, mostSlots);
  if (!readObject(tables)) return !isUnwanted ? declined : hasRecord(at) ? joined : unwanted;
  return at == end ? whole : declined;
}

/** Whether a part of a line holds the mark of a response's record. @param from its offset in the input, `to` its end's */
export function holdsRecord(from: i32, to: i32): bool {
  end = input + <usize>to;
  return hasRecord(input + <usize>from);
}

/**
 * Whether `"type":"assistant"` is between here and the end. Tests 64 places at a time, first the mark's colon and its
 * `a`: few places have both.
 */
function hasRecord(from: usize): bool {
  for (let position = from; position < end; position += 64) {
    const first = v128.or(likelyAt(position), likelyAt(position + 16));
    const second = v128.or(likelyAt(position + 32), likelyAt(position + 48));
    if (!v128.any_true(v128.or(first, second))) continue;
    for (let part = position; part < position + 64; part += 16) {
      for (let places = i8x16.bitmask(likelyAt(part)); places != 0; places &= places - 1) {
        const place = part + <usize>ctz(places);
        if (isMark(place) && place < end) return true;
      }
    }
  }
  return false;
}

/** Which of sixteen places may begin the mark. */
function likelyAt(position: usize): v128 {
  const colons = i8x16.eq(v128.load(position, 6), i8x16.splat(0x3a));
  return v128.and(colons, i8x16.eq(v128.load(position, 8), i8x16.splat(0x61)));
}

function isMark(place: usize): bool {
  return (
    load<u64>(place) == 0x223a226570797422 &&
    load<u64>(place, 8) == 0x6e61747369737361 &&
    load<u16>(place, 16) == 0x2274
  );
}

/** The cursor is at the object's opening brace. Of a nested object only the first member may decide. */
function readObject(table: usize): bool {
  at += 1;
  if (load<u8>(at) == 0x7d) {
    at += 1;
    isUndecided = false;
    return true;
  }
  while (true) {
    if (load<u8>(at) != 0x22) return false;
    const key = at + 1;
    const keyEnd = stringStop(key);
    if (load<u16>(keyEnd) != 0x3a22) return false;
    at = keyEnd + 2;
    const entry = find(table, key, keyEnd);
    if (!(entry == 0 ? skipOther(table, key) : readMember(entry))) return false;
    if (table != tables) isUndecided = false;
    const next = load<u8>(at);
    at += 1;
    if (next == 0x7d) return true;
    if (next != 0x2c) return false;
  }
}

/** Skips a member that the shape does not name. Marks it if the shape asks for that, and it is not plain. */
function skipOther(table: usize, key: usize): bool {
  if (!skip()) return false;
  const slot = <usize>load<u8>(table + othersAt);
  if (slot != 0 && !isPlain(key, at)) store<u8>(states + slot, present);
  return true;
}

/**
 * Whether a member of a usage can have no effect beyond the counts: see `unusual` in `RowReader`, which decides about
 * every other. @param from where its key's text begins
 */
function isPlain(from: usize, to: usize): bool {
  let position = from - 1;
  while (true) {
    for (; load<u8>(position) != 0x22; position += 1) {
      if (position >= to) return true;
      // A second object in a list.
      if (load<u16>(position) == 0x7b2c) return false;
    }
    if (position >= to) return true;
    const textEnd = stringStop(position + 1);
    if (load<u8>(textEnd) != 0x22 || isTelling(position + 1, textEnd)) return false;
    position = textEnd + 1;
  }
}

/** Whether a text in a usage may mean other terms or more calls. Compares words: a text that looks like one is enough. */
function isTelling(from: usize, to: usize): bool {
  const length = to - from;
  // us, fast, batch or model, priority, compaction.
  if (length == 2) return (load<u16>(from) | 0x2020) == 0x7375;
  if (length == 4) return load<u32>(from) == 0x74736166;
  if (length == 5) return load<u32>(from) == 0x63746162 || load<u32>(from) == 0x65646f6d;
  if (length < 7) return false;
  const word = load<u64>(from);
  if (length == 8 && word == 0x797469726f697270) return true;
  if (length == 10 && word == 0x69746361706d6f63) return true;
  // It begins with advisor.
  if ((word & 0x00ffffffffffffff) == 0x00726f7369766461) return true;
  // It ends in requests, and not just 0 follows.
  if (length < 9 || load<u64>(to - 8) != 0x7374736575716572) return false;
  const next = load<u32>(to);
  return next != 0x2c303a22 && next != 0x7d303a22;
}

/** The table's entry for a key, or 0: see `KeyTable`. */
function find(table: usize, key: usize, keyEnd: usize): usize {
  const length = <u32>(keyEnd - key);
  const factor = load<u32>(table);
  const first = <u32>load<u8>(key);
  const last = <u32>load<u8>(keyEnd - 1);
  const later = length > 10 ? <u32>load<u8>(key + 10) : last;
  const hash = (length * 3 + first * factor + later * (factor + 2) + last * 5) & 255;
  const number = load<u8>(table + 4 + hash);
  if (number == 0) return 0;
  const entry = table + entriesAt + <usize>number * entrySize;
  return isText(key, keyEnd, entry) ? entry : 0;
}

/** Whether bytes equal the text of an entry: its address, then its length. */
function isText(from: usize, to: usize, entry: usize): bool {
  return to - from == <usize>load<u8>(entry + 4) && beginsWith(from, to, entry);
}

function beginsWith(from: usize, to: usize, entry: usize): bool {
  const length = <usize>load<u8>(entry + 4);
  if (to - from < length) return false;
  const expected = <usize>load<u32>(entry);
  for (let index: usize = 0; index < length; index += 1) {
    if (load<u8>(from + index) != load<u8>(expected + index)) return false;
  }
  return true;
}

function readMember(entry: usize): bool {
  const kind = load<u8>(entry + 5);
  const slot = <usize>load<u8>(entry + 6);
  const byte = load<u8>(at);
  if (kind == text) return readText(slot, byte, <usize>load<u32>(entry + 8));
  if (kind == count) return readCount(slot, byte);
  if (kind == object) return readNested(slot, byte, entry);
  if (kind == flag) {
    const isFlag = byte == 0x74 || byte == 0x66;
    store<u8>(states + slot, isFlag ? present : byte == 0x6e ? absent : wrong);
    store<f64>(numbers + (slot << 3), byte == 0x74 ? 1 : 0);
    return skip();
  }
  if (kind == list) return readList(slot, byte, <usize>load<u32>(entry + 8));
  // A mark.
  store<u8>(states + slot, present);
  return skip();
}

/** Notes whether a list has a text that begins with another. @param prefix the entry of that other */
function readList(slot: usize, byte: u8, prefix: usize): bool {
  store<u8>(states + slot, absent);
  if (byte != 0x5b) return skip();
  isUndecided = false;
  at += 1;
  if (load<u8>(at) == 0x5d) {
    at += 1;
    return true;
  }
  while (true) {
    if (load<u8>(at) != 0x22) {
      if (!skip()) return false;
    } else {
      const from = at + 1;
      const to = stringStop(from);
      if (load<u8>(to) != 0x22) return false;
      at = to + 1;
      if (beginsWith(from, to, prefix)) store<u8>(states + slot, present);
    }
    const next = load<u8>(at);
    at += 1;
    if (next == 0x5d) return true;
    if (next != 0x2c) return false;
  }
}

function readNested(slot: usize, byte: u8, entry: usize): bool {
  memory.fill(states + slot, absent, <usize>load<u8>(entry + 7) - slot);
  store<u8>(states + slot, byte == 0x7b ? present : byte == 0x6e ? absent : wrong);
  if (byte != 0x7b) return skip();
  store<u32>(starts + (slot << 2), <u32>(at - input));
  const isRead = readObject(<usize>load<u32>(entry + 8));
  store<u32>(ends + (slot << 2), <u32>(at - input));
  return isRead;
}

/** @param wanted the texts that make the row wanted, or 0 */
function readText(slot: usize, byte: u8, wanted: usize): bool {
  if (byte != 0x22) {
    store<u8>(states + slot, byte == 0x6e ? absent : wrong);
    return skip();
  }
  const from = at + 1;
  let to = stringStop(from);
  const isEscaped = load<u8>(to) == 0x5c;
  while (load<u8>(to) == 0x5c) {
    to = escapeEnd(to + 1);
    if (to == 0) return false;
    to = stringStop(to);
  }
  if (load<u8>(to) != 0x22) return false;
  at = to + 1;
  store<u8>(states + slot, present);
  store<u8>(escapes + slot, isEscaped ? 1 : 0);
  store<u32>(starts + (slot << 2), <u32>(from - input));
  store<u32>(ends + (slot << 2), <u32>(to - input));
  if (wanted == 0 || !isUndecided) return true;
  if (isEscaped) return false;
  isUndecided = false;
  isUnwanted = !isAmong(from, to, wanted);
  return !isUnwanted;
}

/** @param texts entries, the last of which has no text */
function isAmong(from: usize, to: usize, texts: usize): bool {
  for (let entry = texts; load<u32>(entry) != 0; entry += entrySize) {
    if (isText(from, to, entry)) return true;
  }
  return false;
}

/** The position after what follows a backslash, or 0 when it may not. */
function escapeEnd(from: usize): usize {
  const byte = load<u8>(from);
  if (byte == 0x75) {
    for (let digit: usize = 1; digit <= 4; digit += 1) {
      if (!isHexadecimal(load<u8>(from + digit))) return 0;
    }
    return from + 5;
  }
  const isKnown =
    byte == 0x22 ||
    byte == 0x5c ||
    byte == 0x2f ||
    byte == 0x62 ||
    byte == 0x66 ||
    byte == 0x6e ||
    byte == 0x72 ||
    byte == 0x74;
  return isKnown ? from + 1 : 0;
}

function isHexadecimal(byte: u8): bool {
  const letter = byte | 0x20;
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66);
}

function isDigit(byte: u8): bool {
  return byte - 0x30 < 10;
}

/** Reads a token count in its usual form. */
function readCount(slot: usize, byte: u8): bool {
  if (!isDigit(byte)) {
    if (byte == 0x2d) return false;
    store<u8>(states + slot, byte == 0x6e ? absent : wrong);
    return skip();
  }
  const from = at;
  let value: u64 = 0;
  for (let digit = byte; isDigit(digit); digit = load<u8>(at)) {
    value = value * 10 + (digit - 0x30);
    at += 1;
  }
  const length = at - from;
  if (length > 15 || (length > 1 && byte == 0x30)) return false;
  store<u8>(states + slot, present);
  store<f64>(numbers + (slot << 3), <f64>value);
  return true;
}

/** Skips any one value. */
function skip(): bool {
  let depth = 0;
  while (true) {
    const byte = load<u8>(at);
    if (byte == 0x22) {
      if (!skipString()) return false;
    } else if (byte == 0x7b || byte == 0x5b) {
      isUndecided = false;
      at += 1;
      if (load<u8>(at) == byte + 2) at += 1;
      else {
        if (depth == deepest) return false;
        store<u8>(closers + <usize>depth, byte + 2);
        depth += 1;
        if (byte == 0x7b && !skipKey()) return false;
        continue;
      }
    } else if (!skipScalar(byte)) return false;
    while (depth > 0 && load<u8>(at) == load<u8>(closers + <usize>depth - 1)) {
      at += 1;
      depth -= 1;
    }
    if (depth == 0) return true;
    if (load<u8>(at) != 0x2c) return false;
    at += 1;
    if (load<u8>(closers + <usize>depth - 1) == 0x7d && !skipKey()) return false;
  }
}

function skipKey(): bool {
  if (load<u8>(at) != 0x22 || !skipString() || load<u8>(at) != 0x3a) return false;
  at += 1;
  return true;
}

/** Skips a string, whatever its escapes. */
function skipString(): bool {
  let stop = stringStop(at + 1);
  while (load<u8>(stop) == 0x5c) {
    if (stop + 1 >= end) return false;
    stop = stringStop(stop + 2);
  }
  at = stop + 1;
  return load<u8>(stop) == 0x22;
}

function skipScalar(byte: u8): bool {
  const word = load<u32>(at);
  if (word == 0x6c6c756e || word == 0x65757274) {
    at += 4;
    return true;
  }
  if (byte == 0x66) {
    if (load<u32>(at + 1) != 0x65736c61) return false;
    at += 5;
    return true;
  }
  return skipNumber();
}

function skipNumber(): bool {
  if (load<u8>(at) == 0x2d) at += 1;
  if (load<u8>(at) == 0x30) at += 1;
  else if (!skipDigits()) return false;
  if (load<u8>(at) == 0x2e) {
    at += 1;
    if (!skipDigits()) return false;
  }
  if ((load<u8>(at) | 0x20) != 0x65) return true;
  at += 1;
  const sign = load<u8>(at);
  if (sign == 0x2b || sign == 0x2d) at += 1;
  return skipDigits();
}

function skipDigits(): bool {
  const from = at;
  while (isDigit(load<u8>(at))) at += 1;
  return at > from;
}

/** The position of the first quote, backslash or control character. */
function stringStop(from: usize): usize {
  const quote = i8x16.splat(0x22);
  const backslash = i8x16.splat(0x5c);
  const lastControl = i8x16.splat(0x1f);
  let position = from;
  while (true) {
    const bytes = v128.load(position);
    const ends = v128.or(i8x16.eq(bytes, quote), i8x16.eq(bytes, backslash));
    const stops = i8x16.bitmask(v128.or(ends, i8x16.le_u(bytes, lastControl)));
    if (stops != 0) return position + <usize>ctz(stops);
    position += 16;
  }
}
