import type { Style } from "./style.ts";

export interface Column {
  readonly title: string;
  /** True for figures, which are aligned right. */
  readonly isFigure?: boolean;
  /** Styles a cell by its text. */
  readonly styled?: (text: string, style: Style) => string;
}

/** An aligned table: a header, rows, and last a line of totals. Cells are clean, single lines. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  totals: readonly string[],
  style: Style,
): string {
  const [header = "", rule = "", ...lines] = layOut(columns, [...rows, totals], style);
  const last = lines.pop() ?? "";
  const all = [style.bold(header), style.dim(rule), ...lines, style.dim(rule), style.bold(last)];
  return `${all.join("\n")}\n`;
}

/** Formats the same table without totals. */
export function alignColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style,
): string {
  const [header = "", rule = "", ...lines] = layOut(columns, rows, style);
  return `${[style.bold(header), style.dim(rule), ...lines].join("\n")}\n`;
}

/** The header, a rule, and the rows, each one line. */
function layOut(columns: readonly Column[], rows: readonly (readonly string[])[], style: Style): string[] {
  const header = columns.map(({ title }) => title);
  const widths = columns.map((_, index) =>
    [header, ...rows].reduce((widest, row) => Math.max(widest, widthOf(row[index] ?? "")), 0),
  );
  const line = (row: readonly string[], mark: (column: Column, text: string) => string) =>
    columns
      .map((column, index) => {
        const text = row[index] ?? "";
        const space = " ".repeat((widths[index] ?? 0) - widthOf(text));
        // Styling takes no columns.
        return column.isFigure === true ? `${space}${mark(column, text)}` : `${mark(column, text)}${space}`;
      })
      .join("  ")
      .trimEnd();
  return [
    line(header, (_, text) => text),
    widths.map((width) => "─".repeat(width)).join("──"),
    ...rows.map((row) => line(row, (column, text) => column.styled?.(text, style) ?? text)),
  ];
}

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const mark = /^\p{Mark}$/u;

/** Columns that a terminal gives to a text, close enough to align a table. */
function widthOf(text: string): number {
  // Nearly all cells are plain ASCII.
  if (/^[ -~]*$/u.test(text)) return text.length;
  return Array.from(text).reduce(
    (width, character) => width + (mark.test(character) ? 0 : wide.test(character) ? 2 : 1),
    0,
  );
}
