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
