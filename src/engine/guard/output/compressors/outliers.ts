/**
 * Kinds of traits: how a line begins and ends, which signs, forms and scripts of words it has, how many parts, how long its
 * numbers are, their units, its words, and of these the first and the last.
 */
const kinds = {
  head: 0,
  tail: 1,
  sign: 2,
  form: 3,
  block: 4,
  count: 5,
  important: 6,
  word: 7,
  unit: 8,
  width: 9,
  all: 10,
  first: 11,
  last: 12,
} as const;
const kindCount = 13;

/** Forms of a part of a line: letters by their case, digits, both, or a sign. */
const forms = {
  lower: 1,
  capital: 2,
  upper: 3,
  camel: 4,
  digits: 5,
  mixed: 6,
  negative: 7,
  signs: 32,
} as const;

/** Maximum part of a line that is read. Characters. */
const maxRead = 1000;
/** Number of parts at the start and end of a line whose forms are compared. */
const [headParts, tailParts] = [3, 4];
/** Maximum share of lines, or of objects in a list, that have a rare trait; one may always have it. */
export const rareShare = 0.05;
/** Maximum share of lines with a rare trait of one kind. Beyond it, the lines have nothing in common from which one could differ. */
export const maxShare = 0.1;
/** Minimum factor between a number that stands out and the next one. */
export const farFactor = 4;
/** Maximum number of places in a line whose numbers are compared. */
const maxPlaces = 6;
/** Maximum length of a unit behind a number, such as `MiB`. */
const maxUnit = 4;
/** So few lines do not show what is usual: all are kept. */
const tooFew = 3;

interface DroppedLine {
  readonly text: string;
  /** Whether it has a word of an error, a warning or a failure. */
  readonly isImportant: boolean;
}

/** A list of numbers that grows. */
class Numbers {
  values: Int32Array | Float64Array;
  length = 0;

  constructor(values: Int32Array | Float64Array) {
    this.values = values;
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = this.values instanceof Int32Array ? Int32Array : Float64Array;
      const values = new larger(2 * this.length);
      values.set(this.values);
      this.values = values;
    }
    this.values[this.length] = value;
    this.length += 1;
  }
}

/** The traits and numbers of all lines, behind each other: objects for each line take several times as long. */
class Reading {
  readonly traits = new Numbers(new Int32Array(4096));
  readonly numbers = new Numbers(new Float64Array(1024));
  /** Where each line's traits and numbers begin. */
  readonly traitsFrom: Int32Array;
  readonly numbersFrom: Int32Array;
  /** Distinguishes lines by how they begin. */
  readonly starts: Int32Array;
  /** Of each distinct trait. */
  readonly hashes = new Numbers(new Int32Array(1024));
  readonly kinds = new Numbers(new Int32Array(1024));
  /** The last line with each distinct trait, as a line has a trait once. */
  readonly #lastLine = new Numbers(new Int32Array(1024));
  /** Distinct traits by their hash, as an open table; 0 for an empty place, otherwise the position plus 1. */
  #table = new Int32Array(4096);

  constructor(lines: readonly DroppedLine[]) {
    this.traitsFrom = new Int32Array(lines.length + 1);
    this.numbersFrom = new Int32Array(lines.length + 1);
    this.starts = new Int32Array(lines.length);
    for (const [index, line] of lines.entries()) {
      readLine(line, index, this);
      this.traitsFrom[index + 1] = this.traits.length;
      this.numbersFrom[index + 1] = this.numbers.length;
    }
  }

  add(hash: number, kind: number, line: number): void {
    const trait = this.#positionOf(hash, kind);
    if (this.#lastLine.values[trait] === line) return;
    this.#lastLine.values[trait] = line;
    this.traits.push(trait);
  }

  #positionOf(hash: number, kind: number): number {
    const mask = this.#table.length - 1;
    let place = Math.imul(hash ^ (kind << 27), 0x9e3779b1);
    place = (place ^ (place >>> 15)) & mask;
    for (; ; place = (place + 1) & mask) {
      const found = (this.#table[place] ?? 0) - 1;
      if (found < 0) break;
      if (this.hashes.values[found] === hash && this.kinds.values[found] === kind) return found;
    }
    this.hashes.push(hash);
    this.kinds.push(kind);
    this.#lastLine.push(-1);
    this.#table[place] = this.hashes.length;
    if (this.hashes.length * 2 > this.#table.length) this.#grow();
    return this.hashes.length - 1;
  }

  #grow(): void {
    this.#table = new Int32Array(4 * this.#table.length);
    const mask = this.#table.length - 1;
    for (let trait = 0; trait < this.hashes.length; trait += 1) {
      let place = Math.imul(
        (this.hashes.values[trait] ?? 0) ^ ((this.kinds.values[trait] ?? 0) << 27),
        0x9e3779b1,
      );
      place = (place ^ (place >>> 15)) & mask;
      while (this.#table[place] !== 0) place = (place + 1) & mask;
      this.#table[place] = trait + 1;
    }
  }
}

/**
 * Returns the positions of lines that are unlike the others, or unlike those that begin alike: with a rare sign, word, unit or
 * script, another form at the start or end, or a number far above the rest. Lines that differ in everything have no such line.
 */
export function outliersOf(lines: readonly DroppedLine[]): ReadonlySet<number> {
  if (lines.length <= tooFew) return new Set(lines.keys());
  const reading = new Reading(lines);
  const byStart = new Map<number, number[]>();
  for (const [index, start] of reading.starts.entries()) {
    const known = byStart.get(start);
    if (known === undefined) byStart.set(start, [index]);
    else known.push(index);
  }
  const search: Search = {
    reading,
    counts: new Int32Array(reading.hashes.length),
    found: new Set<number>(),
  };
  addUnlike([...lines.keys()], search);
  if (byStart.size > 1)
    for (const group of byStart.values()) if (group.length > tooFew) addUnlike(group, search);
  return search.found;
}

interface Search {
  readonly reading: Reading;
  /** Of each trait. Zero before and after each group. */
  readonly counts: Int32Array;
  readonly found: Set<number>;
}

function addUnlike(group: readonly number[], { reading, counts, found }: Search): void {
  const { traitsFrom } = reading;
  const traits = reading.traits.values;
  for (const index of group)
    for (let at = traitsFrom[index] ?? 0; at < (traitsFrom[index + 1] ?? 0); at += 1) {
      const trait = traits[at] ?? 0;
      counts[trait] = (counts[trait] ?? 0) + 1;
    }
  const rare = Math.max(1, group.length * rareShare);
  const limit = Math.max(2, group.length * maxShare);
  const byKind = Array.from({ length: kindCount }, (): number[] => []);
  for (const index of group)
    for (let at = traitsFrom[index] ?? 0; at < (traitsFrom[index + 1] ?? 0); at += 1) {
      const trait = traits[at] ?? 0;
      if ((counts[trait] ?? 0) > rare) continue;
      const lines = byKind[reading.kinds.values[trait] ?? 0];
      if (lines !== undefined && lines.length <= limit && lines.at(-1) !== index) lines.push(index);
    }
  for (const index of group)
    for (let at = traitsFrom[index] ?? 0; at < (traitsFrom[index + 1] ?? 0); at += 1)
      counts[traits[at] ?? 0] = 0;
  for (const lines of byKind) if (lines.length <= limit) for (const index of lines) found.add(index);
  addFar(group, reading, found);
}

/** The two greatest or least numbers in one place of lines, and their lines. */
interface Extreme {
  first: number;
  second: number;
  line: number;
  secondLine: number;
}

/** Adds the lines with a number far above or below all others in its place, counted from the start or the end. */
function addFar(
  group: readonly number[],
  { numbers: { values }, numbersFrom }: Reading,
  found: Set<number>,
): void {
  const places = Array.from({ length: 2 * maxPlaces }, () => ({
    greatest: { first: 0, second: 0, line: 0, secondLine: 0 },
    least: { first: Infinity, second: Infinity, line: 0, secondLine: 0 },
    count: 0,
  }));
  const take = (at: number, value: number, line: number) => {
    const place = places[at];
    if (place === undefined) return;
    const { greatest, least } = place;
    place.count += 1;
    if (value > greatest.first) move(greatest, value, line);
    else if (value > greatest.second) setSecond(greatest, value, line);
    if (value < least.first) move(least, value, line);
    else if (value < least.second) setSecond(least, value, line);
  };
  for (const index of group) {
    const [from, to] = [numbersFrom[index] ?? 0, numbersFrom[index + 1] ?? 0];
    const size = Math.min(maxPlaces, to - from);
    for (let place = 0; place < size; place += 1) {
      take(place, values[from + place] ?? 0, index);
      take(maxPlaces + place, values[to - 1 - place] ?? 0, index);
    }
  }
  for (const { greatest, least, count } of places) {
    if (greatest.first > 10 && greatest.first >= farFactor * Math.max(1, greatest.second))
      found.add(greatest.line);
    // Lines that are counted from 0 have no least one.
    const isCounted = least.second === least.first + 1 && least.secondLine === least.line + 1;
    if (count > tooFew && !isCounted && least.second >= Math.max(1, farFactor * least.first))
      found.add(least.line);
  }
}

function setSecond(extreme: Extreme, value: number, line: number): void {
  extreme.second = value;
  extreme.secondLine = line;
}

function move(extreme: Extreme, value: number, line: number): void {
  setSecond(extreme, extreme.first, extreme.line);
  extreme.first = value;
  extreme.line = line;
}

/** Added to the number of numbers, to tell it from their lengths. */
const numberCounts = 1024;

/** Added to the number of signs between spaces, to tell it from a sign. */
const loneSigns = 1024;

/** Classes of ASCII characters. */
const [isLower, isUpper, isDigit, isSign] = [1, 2, 3, 4];
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return isLower;
  if (code >= 65 && code <= 90) return isUpper;
  if (code >= 48 && code <= 57) return isDigit;
  return code > 32 ? isSign : 0;
});

function readLine({ text: line, isImportant }: DroppedLine, index: number, reading: Reading): void {
  if (isImportant) reading.add(0, kinds.important, index);
  const end = Math.min(line.length, maxRead);
  let [count, head, tail, all] = [0, 17, 0, 0];
  let [lastSign, firstWord, lastWord, lone] = [0, 0, 0, 0];
  const addPart = (part: number, bit: number) => {
    count += 1;
    if (count <= headParts) head = (Math.imul(head, 131) + part) | 0;
    // Each part takes a byte, so that the last four remain.
    tail = (tail << (32 / tailParts)) | (part & 255);
    all |= 1 << (bit & 31);
  };
  for (let at = 0; at < end;) {
    const code = line.charCodeAt(at);
    const kind = code < 128 ? (classes[code] ?? 0) : isSign;
    if (kind === 0) {
      lastSign = 0;
      at += 1;
    } else if (kind === isSign) {
      const sign = code > 127 ? 128 + (code >> 7) : code;
      reading.add(sign, code > 127 ? kinds.block : kinds.sign, index);
      // A sign between spaces may stand for a missing value.
      if (isSpace(line, at - 1) && isSpace(line, at + 1)) lone += 1;
      // A row of equal signs is one part, as in a bar.
      if (lastSign !== sign) addPart(forms.signs + sign, sign);
      if (count === 1) reading.starts[index] = sign;
      lastSign = sign;
      at += 1;
    } else {
      const from = at;
      let [lower, upper, digits, hash, unit, unitFrom, value] = [0, 0, 0, 7, 7, at, 0];
      for (; at < end; at += 1) {
        const each = line.charCodeAt(at);
        const form = each < 128 ? (classes[each] ?? 0) : 0;
        if (form === isDigit) {
          digits += 1;
          value = value * 10 + each - 48;
          unitFrom = at + 1;
          unit = 7;
        } else if (form === isLower) lower += 1;
        else if (form === isUpper) upper += 1;
        else break;
        hash = (Math.imul(hash, 31) + each) | 0;
        if (form !== isDigit) unit = (Math.imul(unit, 31) + each) | 0;
      }
      let form: number = formOf(lower, upper, digits, code);
      if (form === forms.digits) {
        reading.numbers.push(value);
        reading.add(digits, kinds.width, index);
        if (line.charCodeAt(from - 1) === 45 && !isWordCode(line.charCodeAt(from - 2))) {
          form = forms.negative;
        }
      } else if (digits === 0 && at - from > 2) {
        reading.add(hash, kinds.word, index);
        if (firstWord === 0) firstWord = hash;
        lastWord = hash;
      } else if (digits > 0 && at - unitFrom <= maxUnit && unitFrom - from === digits)
        reading.add(unit, kinds.unit, index);
      reading.add(form, kinds.form, index);
      addPart(form === forms.negative ? forms.digits : form, form);
      if (count === 1) reading.starts[index] = hash;
      lastSign = 0;
    }
  }
  reading.add(head, kinds.head, index);
  reading.add(tail, kinds.tail, index);
  reading.add(count, kinds.count, index);
  reading.add(all, kinds.all, index);
  reading.add(numberCounts + reading.numbers.length - (reading.numbersFrom[index] ?? 0), kinds.width, index);
  reading.add(loneSigns + lone, kinds.sign, index);
  reading.add(firstWord, kinds.first, index);
  reading.add(lastWord, kinds.last, index);
}

function formOf(lower: number, upper: number, digits: number, firstCode: number): number {
  if (digits > 0) return lower + upper > 0 ? forms.mixed : forms.digits;
  if (upper === 0) return forms.lower;
  if (lower === 0 && upper > 1) return forms.upper;
  return upper === 1 && firstCode < 97 ? forms.capital : forms.camel;
}

function isSpace(line: string, at: number): boolean {
  return !(line.charCodeAt(at) > 32);
}

/** ASCII letters and digits. */
function isWordCode(code: number): boolean {
  const kind = code < 128 ? (classes[code] ?? 0) : 0;
  return kind !== 0 && kind !== isSign;
}
