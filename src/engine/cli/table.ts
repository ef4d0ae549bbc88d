import { cellsOf, cutCellsEnd, cutCellsMiddle, wrapCells } from "./text-cells.ts";
import type { Style } from "./style.ts";

interface FlexibleColumn {
  readonly title: string;
  /** How a long text is fitted: cut at its end (the default) or in its middle, or wrapped. Only such columns become narrower. */
  readonly fit?: "end" | "middle" | "wrap";
  /** Cells. */
  readonly minWidth?: number;
  /** Priority for leaving it out where a table does not fit: 1 first. */
  readonly dropped?: number;
}

/** Cells. */
const gap = 2;

/** Cells. */
const defaultMinWidth = 12;

interface FittedColumn {
  readonly index: number;
  readonly width: number;
}

/** Chooses columns and widths so that a line has at most `available` cells. Null if nothing helps. `widths` are those of the longest cells. */
function fitColumns(
  columns: readonly FlexibleColumn[],
  widths: readonly number[],
  available: number,
): readonly FittedColumn[] | null {
  const minWidthOf = (index: number): number => {
    const { title = "", fit, minWidth: least = defaultMinWidth } = columns[index] ?? {};
    const width = widths[index] ?? 0;
    return fit === undefined ? width : Math.min(width, Math.max(least, title.length));
  };
  const dropOf = (index: number): number => columns[index]?.dropped ?? Infinity;
  let shown = columns.map((_, index) => index);
  while (total(shown.map(minWidthOf)) > available) {
    const next = shown.reduce(
      (first, index) => (dropOf(index) < dropOf(first) ? index : first),
      shown[0] ?? 0,
    );
    if (dropOf(next) === Infinity || shown.length === 1) return null;
    shown = shown.filter((index) => index !== next);
  }
  const fitted = shown.map((index) => ({ index, width: widths[index] ?? 0, least: minWidthOf(index) }));
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

export interface Column extends FlexibleColumn {
  /** Figures are aligned right. */
  readonly isFigure?: boolean;
  readonly styled?: (text: string, style: Style) => string;
  /** Cells. */
  readonly maxWidth?: number;
}

type Row = readonly string[];

export function figures(...titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title, isFigure: true }));
}

/**
 * Ends with a line of totals. Cells are clean, single lines. No line is wider than the terminal: columns become narrower, then are left out by
 * priority, then each row becomes several lines.
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly Row[],
  totals: Row,
  style: Style,
): string {
  return layOut(columns, rows, totals, style);
}

/** `otherwise` replaces a table that does not fit. */
export function alignColumns(
  columns: readonly Column[],
  rows: readonly Row[],
  style: Style,
  otherwise?: () => string,
): string {
  return layOut(columns, rows, null, style, otherwise);
}

function layOut(
  columns: readonly Column[],
  rows: readonly Row[],
  totals: Row | null,
  style: Style,
  otherwise = () => stacked(columns, rows, totals, style),
): string {
  const header = columns.map(({ title }) => title);
  const all = [header, ...rows, ...(totals === null ? [] : [totals])];
  const widths = columns.map((column, index) =>
    Math.min(
      column.maxWidth ?? Infinity,
      all.reduce((widest, row) => Math.max(widest, cellsOf(row[index] ?? "")), 0),
    ),
  );
  const fitted = fitColumns(columns, widths, style.width);
  if (fitted === null) return otherwise();
  const line = (row: Row, mark?: (text: string) => string) => rowLines(row, { columns, fitted, style, mark });
  const rule = style.dim("─".repeat(fitted.reduce((sum, { width }) => sum + width + gap, -gap)));
  const last = totals === null ? [] : [rule, ...line(totals, style.bold)];
  return `${[...line(header, style.bold), rule, ...rows.flatMap((row) => line(row)), ...last].join("\n")}\n`;
}

interface Shown {
  readonly columns: readonly Column[];
  readonly fitted: NonNullable<ReturnType<typeof fitColumns>>;
  readonly style: Style;
  /** Marks a whole line, in place of the columns' own styles. */
  readonly mark: ((line: string) => string) | undefined;
}

/** More than one line where a column wraps. */
function rowLines(row: Row, { columns, fitted, style, mark }: Shown): string[] {
  const pieces = fitted.map(({ index, width }) => cutTo(row[index] ?? "", width, columns[index]?.fit));
  const height = Math.max(...pieces.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) => {
    const line = fitted
      .map(({ index, width }, place) => {
        const column = columns[index];
        const text = pieces[place]?.[at] ?? "";
        const space = " ".repeat(Math.max(0, width - cellsOf(text)));
        const shown = style.isolated(text);
        // Styling takes no cells.
        const styled = mark === undefined ? (column?.styled?.(shown, style) ?? shown) : shown;
        return column?.isFigure === true ? `${space}${styled}` : `${styled}${space}`;
      })
      .join(" ".repeat(gap))
      .trimEnd();
    return mark === undefined ? line : mark(line);
  });
}

function cutTo(text: string, width: number, fit: Column["fit"] = "end"): readonly string[] {
  if (fit === "wrap") return wrapCells(text, width);
  return [fit === "middle" ? cutCellsMiddle(text, width) : cutCellsEnd(text, width)];
}

const indent = "  ";
const separator = " · ";

/** Its subject first, then the other cells with their titles. */
function stacked(columns: readonly Column[], rows: readonly Row[], totals: Row | null, style: Style): string {
  const lines = (row: Row, mark: (text: string) => string) => {
    const [first = "", ...others] = row.map((text, index) => {
      const { maxWidth: most = Infinity, fit } = columns[index] ?? {};
      return fit === "wrap" ? text : cutTo(text, most, fit).join("");
    });
    const parts = others.flatMap((text, index) => {
      const { title = "" } = columns[index + 1] ?? {};
      return text === "" ? [] : [title === "" ? text : `${title} ${text}`];
    });
    const head = first === "" ? [] : wrapCells(first, style.width).map((line) => mark(style.isolated(line)));
    return [...head, ...packed(parts, style).map((line) => `${indent}${line}`)];
  };
  const last = totals === null ? [] : [style.dim("─".repeat(style.width)), ...lines(totals, style.bold)];
  return `${[...rows.flatMap((row) => lines(row, style.bold)), ...last].join("\n")}\n`;
}

function packed(parts: readonly string[], style: Style): string[] {
  const width = style.width - indent.length;
  const lines: { text: string; cells: number }[] = [];
  for (const part of parts) {
    const cells = cellsOf(part);
    const line = lines.at(-1);
    if (line !== undefined && line.cells + separator.length + cells <= width) {
      line.text += `${separator}${style.isolated(part)}`;
      line.cells += separator.length + cells;
    } else
      lines.push(
        ...wrapCells(part, width).map((text) => ({ text: style.isolated(text), cells: cellsOf(text) })),
      );
  }
  return lines.map(({ text }) => text);
}
