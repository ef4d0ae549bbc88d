/** Kinds of traits. */
const kinds = { head: 0, tail: 1, sign: 2, form: 3, block: 4, count: 5, important: 6, word: 7 } as const;
const kindCount = 8;

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
const maxRead = 400;
/** Number of parts at the start and end of a line whose forms are compared. */
const [headParts, tailParts] = [3, 4];
/** Maximum share of lines, or of objects in a list, that have a rare trait; one may always have it. */
export const rareShare = 0.02;
/** Maximum share of lines with a rare trait of one kind. Beyond it, the lines have nothing in common from which one could differ. */
export const maxShare = 0.1;
/** Minimum factor between a number that stands out and the next one. */
export const farFactor = 4;
/** Maximum number of places in a line whose numbers are compared. */
const maxPlaces = 6;
/** So few lines do not show what is usual: all are kept. */
const tooFew = 3;

interface DroppedLine {
  readonly text: string;
  /** Whether it has a word of an error, a warning or a failure. */
  readonly isImportant: boolean;
}

interface Line {
  /** Positions in the list of all traits. */
  readonly traits: readonly number[];
  readonly numbers: readonly number[];
  /** Distinguishes lines by how they begin. */
  readonly start: number;
}

/** All traits of some lines, each once. Positions are counted faster than the traits themselves. */
class TraitList {
  readonly kinds: number[] = [];
  /** By kind, as maps of small integers are faster. */
  readonly #positions = Array.from({ length: kindCount }, () => new Map<number, number>());

  positionOf(hash: number, kind: number): number {
    const positions = this.#positions[kind];
    const known = positions?.get(hash);
    if (known !== undefined) return known;
    positions?.set(hash, this.kinds.length);
    return this.kinds.push(kind) - 1;
  }
}

/**
 * Returns the positions of lines that are unlike the others, or unlike those that begin alike: with a rare sign, word or
 * script, another form at the start or end, or a number far above the rest. Lines that differ in everything have no such line.
 */
export function outliersOf(lines: readonly DroppedLine[]): ReadonlySet<number> {
  if (lines.length <= tooFew) return new Set(lines.keys());
  const list = new TraitList();
  const all = lines.map((line) => readLine(line, list));
  const byStart = new Map<number, number[]>();
  all.forEach(({ start }, index) => {
    const known = byStart.get(start);
    if (known === undefined) byStart.set(start, [index]);
    else known.push(index);
  });
  const found = new Set<number>();
  const counts = new Int32Array(list.kinds.length);
  addUnlike(all, [...all.keys()], { list, counts, found });
  if (byStart.size > 1)
    for (const group of byStart.values())
      if (group.length > tooFew) addUnlike(all, group, { list, counts, found });
  return found;
}

interface Search {
  readonly list: TraitList;
  /** Zero before and after each group. */
  readonly counts: Int32Array;
  readonly found: Set<number>;
}

function addUnlike(all: readonly Line[], group: readonly number[], { list, counts, found }: Search): void {
  for (const index of group)
    for (const trait of all[index]?.traits ?? []) counts[trait] = (counts[trait] ?? 0) + 1;
  const rare = Math.max(1, group.length * rareShare);
  const limit = Math.max(2, group.length * maxShare);
  const byKind = Array.from({ length: kindCount }, (): number[] => []);
  for (const index of group)
    for (const trait of all[index]?.traits ?? []) {
      if ((counts[trait] ?? 0) > rare) continue;
      const lines = byKind[list.kinds[trait] ?? 0];
      if (lines !== undefined && lines.length <= limit && lines.at(-1) !== index) lines.push(index);
    }
  for (const index of group) for (const trait of all[index]?.traits ?? []) counts[trait] = 0;
  for (const lines of byKind) if (lines.length <= limit) for (const index of lines) found.add(index);
  addFar(all, group, found);
}

/** Adds the lines with a number far above all others in its place, counted from the start or the end. */
function addFar(all: readonly Line[], group: readonly number[], found: Set<number>): void {
  const [first, second, lineAt] = [
    new Float64Array(2 * maxPlaces),
    new Float64Array(2 * maxPlaces),
    new Int32Array(2 * maxPlaces),
  ];
  const take = (place: number, value: number, index: number) => {
    if (value > (first[place] ?? 0)) {
      second[place] = first[place] ?? 0;
      first[place] = value;
      lineAt[place] = index;
    } else if (value > (second[place] ?? 0)) second[place] = value;
  };
  for (const index of group) {
    const numbers = all[index]?.numbers ?? [];
    const places = Math.min(maxPlaces, numbers.length);
    for (let place = 0; place < places; place += 1) {
      take(place, numbers[place] ?? 0, index);
      take(maxPlaces + place, numbers[numbers.length - 1 - place] ?? 0, index);
    }
  }
  for (let place = 0; place < 2 * maxPlaces; place += 1) {
    const far = first[place] ?? 0;
    if (far > 10 && far >= farFactor * Math.max(1, second[place] ?? 0)) found.add(lineAt[place] ?? 0);
  }
}

function readLine({ text: line, isImportant }: DroppedLine, list: TraitList): Line {
  const traits: number[] = isImportant ? [list.positionOf(0, kinds.important)] : [];
  const parts: number[] = [];
  const numbers: number[] = [];
  const end = Math.min(line.length, maxRead);
  let start = 0;
  for (let at = 0; at < end;) {
    const code = line.charCodeAt(at);
    if (isWordCode(code)) {
      const from = at;
      let [lower, upper, digits, hash] = [0, 0, 0, 7];
      for (; at < end; at += 1) {
        const each = line.charCodeAt(at);
        if (each >= 97 && each <= 122) lower += 1;
        else if (each >= 48 && each <= 57) digits += 1;
        else if (each >= 65 && each <= 90) upper += 1;
        else break;
        hash = (Math.imul(hash, 31) + each) | 0;
      }
      const form = formOf(lower, upper, digits, code);
      if (form === forms.digits) numbers.push(Number(line.slice(from, at)));
      else if (digits === 0 && at - from > 2) traits.push(list.positionOf(hash, kinds.word));
      const isNegative =
        form === forms.digits && line.charCodeAt(from - 1) === 45 && !isWordCode(line.charCodeAt(from - 2));
      addOnce(traits, list.positionOf(isNegative ? forms.negative : form, kinds.form));
      parts.push(form);
      if (parts.length === 1) start = hash;
    } else {
      if (code > 32) {
        const sign = code > 127 ? code >> 7 : code;
        addOnce(traits, list.positionOf(sign, code > 127 ? kinds.block : kinds.sign));
        // A row of equal signs is one part, as in a bar.
        if (parts.at(-1) !== forms.signs + sign) parts.push(forms.signs + sign);
        if (parts.length === 1) start = sign;
      }
      at += 1;
    }
  }
  traits.push(list.positionOf(hashOf(parts, 0, headParts), kinds.head));
  traits.push(list.positionOf(hashOf(parts, parts.length - tailParts, parts.length), kinds.tail));
  traits.push(list.positionOf(parts.length, kinds.count));
  return { traits, numbers, start };
}

function addOnce(traits: number[], trait: number): void {
  if (!traits.includes(trait)) traits.push(trait);
}

function formOf(lower: number, upper: number, digits: number, firstCode: number): number {
  if (digits > 0) return lower + upper > 0 ? forms.mixed : forms.digits;
  if (upper === 0) return forms.lower;
  if (lower === 0 && upper > 1) return forms.upper;
  return upper === 1 && firstCode < 97 ? forms.capital : forms.camel;
}

/** ASCII letters and digits. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

function hashOf(parts: readonly number[], from: number, to: number): number {
  let hash = 17;
  for (let index = Math.max(0, from); index < Math.min(to, parts.length); index += 1)
    hash = (Math.imul(hash, 131) + (parts[index] ?? 0)) | 0;
  return hash;
}
