/** The properties of a column by which it is fitted into a terminal. */
export interface FlexibleColumn {
  readonly title: string;
  /**
   * How text that is too long is made to fit: cut at its end, which is the default, cut in its middle, or broken into lines. Only
   * columns with it become narrower where the terminal is.
   */
  readonly fit?: "end" | "middle" | "wrap";
  /** How narrow it may become, in cells. */
  readonly least?: number;
  /** Columns with it are left out where no other way makes a table fit: 1 first. */
  readonly dropped?: number;
}

/** Cells between two columns. */
export const gap = 2;

/** Width of a column that says of none how narrow it may become. Cells. */
const usualLeast = 12;

interface FittedColumn {
  /** Which of the columns it is. */
  readonly index: number;
  /** Cells. */
  readonly width: number;
}

/**
 * Decides which columns are shown, and how wide, so that a line has at most `available` cells. Null where no way to leave out columns and
 * to make others narrower is enough.
 *
 * @param widths of the columns' longest cells
 */
export function fitColumns(
  columns: readonly FlexibleColumn[],
  widths: readonly number[],
  available: number,
): readonly FittedColumn[] | null {
  const leastOf = (index: number): number => {
    const { title = "", fit, least = usualLeast } = columns[index] ?? {};
    const width = widths[index] ?? 0;
    return fit === undefined ? width : Math.min(width, Math.max(least, title.length));
  };
  const dropOf = (index: number): number => columns[index]?.dropped ?? Infinity;
  let shown = columns.map((_, index) => index);
  while (total(shown.map(leastOf)) > available) {
    const next = shown.reduce(
      (first, index) => (dropOf(index) < dropOf(first) ? index : first),
      shown[0] ?? 0,
    );
    if (dropOf(next) === Infinity || shown.length === 1) return null;
    shown = shown.filter((index) => index !== next);
  }
  const fitted = shown.map((index) => ({ index, width: widths[index] ?? 0, least: leastOf(index) }));
  let excess = total(fitted.map(({ width }) => width)) - available;
  // The widest gives first, so that what is short stays whole.
  for (; excess > 0; excess -= 1) {
    const flexible = fitted.filter(({ width, least }) => width > least);
    const widest = Math.max(...flexible.map(({ width }) => width));
    const giver = flexible.findLast(({ width }) => width === widest);
    if (giver !== undefined) giver.width -= 1;
  }
  return fitted;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + gap, -gap);
}
