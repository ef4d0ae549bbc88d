import type { SqlValue } from "sql.js";

export type Cell = SqlValue | undefined;

/** Reads cells of rows that our own schema typed. A cell of another type is a bug, and throws. */

export function textIn(cell: Cell): string {
  if (typeof cell === "string") return cell;
  throw unexpected("a text", cell);
}

export function numberIn(cell: Cell): number {
  if (typeof cell === "number") return cell;
  throw unexpected("a number", cell);
}

export function maybeTextIn(cell: Cell): string | null {
  return cell === null ? null : textIn(cell);
}

export function maybeNumberIn(cell: Cell): number | null {
  return cell === null ? null : numberIn(cell);
}

export function flagIn(cell: Cell): boolean {
  return numberIn(cell) !== 0;
}

function unexpected(wanted: string, cell: Cell): Error {
  return new Error(`A cell of the ledger holds no ${wanted} but ${cell === null ? "null" : typeof cell}`);
}
