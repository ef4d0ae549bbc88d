import { diffArrays } from "diff";

export interface DiffLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/** Changed lines close to each other, with the lines around them. Line numbers start at 1. */
export interface DiffHunk {
  readonly oldLine: number;
  readonly newLine: number;
  readonly lines: readonly DiffLine[];
}

/** Unchanged lines shown before and after a change. */
const around = 3;
/** The time grows with the square of the lines that differ (a fifth of a second here); texts that differ more are shown as wholly replaced. */
const maxEditLength = 1000;

/** Returns the shortest list of changed lines that turns one text into the other, between the lines that both have. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(old, now, { maxEditLength }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  return changes.flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => ({ sign: added ? "+" : removed ? "-" : " ", text })),
  );
}

/** Returns only the changed lines, in hunks, each with a few unchanged lines around it. */
export function diffHunks(before: string, after: string): DiffHunk[] {
  const lines = lineDiff(before, after);
  const hunks: DiffHunk[] = [];
  let open: { oldLine: number; newLine: number; lines: DiffLine[] } | undefined;
  let [oldLine, newLine] = [1, 1];
  lines.forEach((line, index) => {
    const nearby = lines.slice(Math.max(0, index - around), index + around + 1);
    if (nearby.every(({ sign }) => sign === " ")) open = undefined;
    else if (open === undefined) hunks.push((open = { oldLine, newLine, lines: [line] }));
    else open.lines.push(line);
    if (line.sign !== "+") oldLine += 1;
    if (line.sign !== "-") newLine += 1;
  });
  return hunks;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
