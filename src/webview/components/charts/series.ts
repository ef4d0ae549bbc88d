/** Maximum series of a chart: more cannot be distinguished at a glance. */
const maxSeries = 5;

export interface Series {
  readonly name: string;
  /** The theme's chart colour; null for a series without a colour of its own, such as all others together. */
  readonly tone: number | null;
}

export interface NamedValues {
  readonly name: string;
  /** One per column. */
  readonly values: readonly number[];
}

export interface Mark {
  /** The mark is before this column. */
  readonly column: number;
  readonly name: string;
}

/** A value across the whole chart, with its name. */
export interface Level {
  readonly name: string;
  readonly value: number;
}

/** A range of values across the whole chart, with its name. */
export interface Band {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly tone: "doubt" | "bad";
}

/** Keeps the largest series, largest first, and sums up all others. */
export function largestSeries(
  all: readonly NamedValues[],
  otherName: (count: number) => string,
): { readonly series: readonly Series[]; readonly values: readonly (readonly number[])[] } {
  const ranked = all
    .map((one) => ({ ...one, total: sum(one.values) }))
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total);
  const own = ranked.length <= maxSeries ? ranked : ranked.slice(0, maxSeries);
  const others = ranked.slice(own.length);
  const series: Series[] = own.map(({ name }, tone) => ({ name, tone }));
  const values: (readonly number[])[] = own.map((one) => one.values);
  if (others.length > 0) {
    const [only] = others.length === 1 ? others : [];
    series.push({ name: only?.name ?? otherName(others.length), tone: null });
    const columns = Math.max(...others.map((one) => one.values.length));
    values.push(
      Array.from({ length: columns }, (_, index) => sum(others.map((one) => one.values[index] ?? 0))),
    );
  }
  return { series, values };
}

/**
 * Colours for names: each has the same one in every chart, unless two of a chart would have the same. Then the later one
 * by name gets the next that is free.
 */
export function tonesOf(names: readonly string[]): ReadonlyMap<string, number> {
  const tones = new Map<string, number>();
  const free = new Set(Array.from({ length: maxSeries }, (_, tone) => tone));
  for (const name of names.toSorted()) {
    let tone = hashOf(name) % maxSeries;
    while (free.size > 0 && !free.has(tone)) tone = (tone + 1) % maxSeries;
    free.delete(tone);
    tones.set(name, tone);
  }
  return tones;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Ticks of an axis from 0 to at least `max`, about `count` of them, at round steps: 1, 2 or 5 times a power of ten. */
export function niceTicks(max: number, count: number): number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0];
  const rough = max / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const steps = Math.ceil(max / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

/** Chooses which of `count` columns get a name, with room for `most`: evenly spaced, starting with the first. */
export function labelledColumns(count: number, most: number): number[] {
  if (count <= 0) return [];
  const step = Math.ceil(count / Math.max(1, most));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

/** Least room for the name of a column. Pixels. */
const leastRoom = 76;
/** Width of a narrow character of an axis, and the gap between two names. Pixels. */
const characterWidth = 6.2;
const nameGap = 12;

/** The room that each name of a column needs, so that none touches the next. Pixels. */
export function roomForNames(names: readonly string[]): number {
  const widths = names.map((name) => {
    const characters = Array.from(name);
    return characters.length + characters.filter((each) => /[\u1100-\u11ff\u2e80-\uffdc]/u.test(each)).length;
  });
  return Math.max(leastRoom, Math.max(0, ...widths) * characterWidth + nameGap);
}
