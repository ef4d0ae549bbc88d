/** A line of two texts compared. */
interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** A part of a comparison that belongs together. Lines count from 1. */
export interface DiffPart {
  readonly oldLine: number;
  readonly newLine: number;
  readonly lines: readonly DiffLine[];
}

/** Lines of what stays that are shown around what changes. */
const around = 3;
/** Comparing takes as many steps as lines there and lines here multiplied; a settings file has a few hundred. */
const mostSteps = 4_000_000;

/** What of a text changes, in lines, with a few around. */
export function diffLines(before: string, after: string): DiffPart[] {
  const lines = compare(split(before), split(after));
  const parts: DiffPart[] = [];
  let part: DiffLine[] = [];
  let start = { oldLine: 1, newLine: 1 };
  const at = { oldLine: 1, newLine: 1 };
  lines.forEach((line, index) => {
    const isShown = lines
      .slice(Math.max(0, index - around), index + around + 1)
      .some(({ kind }) => kind !== "same");
    if (isShown) {
      if (part.length === 0) start = { ...at };
      part.push(line);
    }
    if (part.length > 0 && (!isShown || index === lines.length - 1)) {
      parts.push({ ...start, lines: part });
      part = [];
    }
    if (line.kind !== "new") at.oldLine += 1;
    if (line.kind !== "gone") at.newLine += 1;
  });
  return parts;
}

function split(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(before.length, after.length) - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1;
  const lines = (texts: readonly string[], kind: DiffLine["kind"]) => texts.map((text) => ({ kind, text }));
  return [
    ...lines(before.slice(0, head), "same"),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...lines(after.slice(after.length - tail), "same"),
  ];
}

/** By the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const width = after.length + 1;
  if ((before.length + 1) * width > mostSteps)
    return [
      ...before.map((text) => ({ kind: "gone", text }) as const),
      ...after.map((text) => ({ kind: "new", text }) as const),
    ];
  const common = new Uint32Array((before.length + 1) * width);
  const length = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        before[row] === after[column]
          ? length(row + 1, column + 1) + 1
          : Math.max(length(row + 1, column), length(row, column + 1));
  const lines: DiffLine[] = [];
  for (let [row, column] = [0, 0]; row < before.length || column < after.length;) {
    const [old, now] = [before[row], after[column]];
    if (old !== undefined && old === now) {
      lines.push({ kind: "same", text: old });
      row += 1;
      column += 1;
    } else if (
      old !== undefined &&
      (now === undefined || length(row + 1, column) >= length(row, column + 1))
    ) {
      lines.push({ kind: "gone", text: old });
      row += 1;
    } else {
      lines.push({ kind: "new", text: now ?? "" });
      column += 1;
    }
  }
  return lines;
}
