/**
 * How far a machine's rows have been taken: all of its ledger's rows up to a version. An interrupted export is continued
 * at a row of a table: rows keep their numbers, and a row that changed meanwhile has a later version.
 */
export interface Cursor {
  /** Random for each ledger: a ledger that was made anew, or restored from a backup, is another one. */
  readonly ledger: string;
  /** Versions up to this one are complete; -1 for none. */
  readonly version: number;
  /** The export that was interrupted. */
  readonly part: CursorPart | null;
}

interface CursorPart {
  /** The last version in it. */
  readonly until: number;
  /** The index of its table, and the last row that was taken. */
  readonly table: number;
  readonly row: number;
}

/** Also safe as a word of any shell. */
export function textOfCursor({ ledger, version, part }: Cursor): string {
  const numbers = part === null ? [] : [part.until, part.table, part.row];
  return [ledger, version + 1, ...numbers].join(".");
}

const written = /^([0-9a-z]{1,40})\.(\d{1,15})(?:\.(\d{1,15})\.(\d)\.(\d{1,15}))?$/u;

/** Undefined for any other text. */
export function cursorIn(text: string): Cursor | undefined {
  const [, ledger, next, until, table, row] = written.exec(text) ?? [];
  if (ledger === undefined || next === undefined) return undefined;
  const part =
    until === undefined || table === undefined || row === undefined
      ? null
      : { until: Number(until), table: Number(table), row: Number(row) };
  return { ledger, version: Number(next) - 1, part };
}
