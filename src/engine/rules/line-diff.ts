/** A line of the difference between two texts. */
export interface DiffLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/** The most lines of each text that are compared; a memory has 200. */
const mostLines = 1000;

/** What changes from one text to another, a line at a time: the fewest lines that tell it. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [one, other] = [linesOf(before), linesOf(after)];
  const lengths = commonLengths(one, other);
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  const diff: DiffLine[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const [mine, theirs] = [one[left], other[right]];
    if (mine !== undefined && mine === theirs) {
      diff.push({ sign: " ", text: mine });
      left += 1;
      right += 1;
    } else if (mine !== undefined && (theirs === undefined || at(left + 1, right) >= at(left, right + 1))) {
      diff.push({ sign: "-", text: mine });
      left += 1;
    } else if (theirs !== undefined) {
      diff.push({ sign: "+", text: theirs });
      right += 1;
    }
  }
  return diff;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/u, "").split("\n").slice(0, mostLines);
}

/** How many lines the rests of two texts have in common, from each place of both. */
function commonLengths(one: readonly string[], other: readonly string[]): number[][] {
  const lengths: number[][] = Array.from({ length: one.length + 1 }, () =>
    Array<number>(other.length + 1).fill(0),
  );
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const [here, below] = [lengths[row], lengths[row + 1]];
      if (here === undefined || below === undefined) continue;
      here[column] =
        one[row] === other[column]
          ? (below[column + 1] ?? 0) + 1
          : Math.max(below[column] ?? 0, here[column + 1] ?? 0);
    }
  return lengths;
}
