import type { Catalogue } from "../usage/catalogue.ts";

/** What days, prices and projects depend on. Sums made under one basis are invalid under another. */
export interface LedgerBasis {
  readonly catalogue: Catalogue;
  /** The local calendar day of a time. */
  readonly dayOf: (at: number) => string;
  /** The project of a folder. */
  readonly projectOf: (folder: string) => string;
  /** Names what `dayOf` depends on, identically in every process. Without it another process cannot reuse sums by day. */
  readonly zone?: string;
}
