export interface Cell {
  /** What is shown, a text or a template: made only for the rows that are. */
  readonly content: () => unknown;
  /** What it is put in order by; null is what is not known and comes last. */
  readonly sort: number | string | null;
}

export interface TableRow {
  /** The same for the same thing when the table changes. */
  readonly key: string;
  readonly cells: readonly Cell[];
}

export interface Order {
  readonly column: number;
  readonly direction: "ascending" | "descending";
}

/** As they came where there is no order, or two are equal in it. What is not known comes last either way. */
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
