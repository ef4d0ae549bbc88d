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
