import type { SqlValue } from "sql.js";
import type { Cell } from "./cell.ts";
import type { Database } from "./database.ts";

/** The fields of a row, each with the function that reads its column. */
type RowShape = Readonly<Record<string, (cell: Cell) => unknown>>;

export type RowOf<Shape extends RowShape> = {
  readonly [Field in keyof Shape]: ReturnType<Shape[Field]>;
};

interface Selection<Shape extends RowShape> {
  /** The rest of the statement, from `FROM` on. */
  readonly from: string;
  readonly values?: SqlValue[];
  /** SQL of the fields that are not just the column with their name in snake case. */
  readonly sql?: { readonly [Field in keyof Shape]?: string };
}

/** Selects rows of a shape: each field is read from the column with its name in snake case. */
export function readRows<Shape extends RowShape>(
  db: Database,
  shape: Shape,
  selection: Selection<Shape>,
): RowOf<Shape>[];
export function readRows(
  db: Database,
  shape: RowShape,
  { from, values = [], sql = {} }: Selection<RowShape>,
): Record<string, unknown>[] {
  const fields = Object.entries(shape);
  const columns = fields.map(([field]) => sql[field] ?? columnOf(field));
  return db.rows(`SELECT ${columns.join(", ")} ${from}`, values, (cells) =>
    Object.fromEntries(fields.map(([field, read], index) => [field, read(cells[index])])),
  );
}

function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}
