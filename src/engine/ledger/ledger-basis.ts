import type { Catalogue } from "../usage/catalogue.ts";

/** What days and prices depend on: sums under another one are worth nothing. */
export interface LedgerBasis {
  readonly catalogue: Catalogue;
  /** A time's local calendar day. */
  readonly dayOf: (at: number) => string;
}
