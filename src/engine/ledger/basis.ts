import type { Catalogue } from "../usage/catalogue.ts";

/** What days and prices depend on: sums under another one are worth nothing. */
export interface LedgerBasis {
  readonly catalogue: Catalogue;
  /** A time's local calendar day. */
  readonly dayOf: (at: number) => string;
  /** Names what `dayOf` depends on, the same in every process. Without it sums by it are of no use to another process. */
  readonly zone?: string;
}
