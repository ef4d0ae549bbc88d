export interface Cell {
  /** Creates the cell's text or template. Called only for visible rows. */
  readonly content: () => unknown;
  /** The value to sort by; null is unknown and comes last. */
  readonly sort: number | string | null;
}

export interface TableRow {
  /** Identifies the row across changes of the table. */
  readonly key: string;
  readonly cells: readonly Cell[];
}

export interface Order {
  readonly column: number;
  readonly direction: "ascending" | "descending";
}

/** Returns the order in which the rows are given, if a heading says so. */
export function givenOrder(headings: readonly { readonly order?: Order["direction"] }[]): Order | null {
  const column = headings.findIndex(({ order }) => order !== undefined);
  const direction = headings[column]?.order;
  return direction === undefined ? null : { column, direction };
}

/** Names a row with a cell too many or too few: its other cells would be in the wrong column. */
export function rowFault(headings: readonly unknown[], rows: readonly TableRow[]): string | null {
  const row = rows.find(({ cells }) => cells.length !== headings.length);
  if (row === undefined) return null;
  return `${headings.length} headings, but ${row.cells.length} cells in row ${row.key}`;
}

/** Keeps the rows that have each of the words in one of their texts. */
export function rowsWith(rows: readonly TableRow[], text: string): readonly TableRow[] {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return rows;
  return rows.filter(({ key, cells }) => {
    const texts = cells.map(({ sort }) => (typeof sort === "string" ? sort : ""));
    const all = [key, ...texts].join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Sorts rows stably. Unknown values come last in both directions. */
export function sortedRows(rows: readonly TableRow[], order: Order | null): readonly TableRow[] {
  if (order === null) return rows;
  const { column, direction } = order;
  const sign = direction === "ascending" ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [one.cells[column]?.sort ?? null, other.cells[column]?.sort ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  });
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b));
}
