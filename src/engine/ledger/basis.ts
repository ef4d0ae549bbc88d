import type { Catalogue } from "../usage/catalogue.ts";

/** The functions and prices behind days, costs and projects. Sums made under one basis are invalid under another. */
export interface LedgerBasis {
  readonly catalogue: Catalogue;
  /** The local calendar day of a time. */
  readonly dayOf: (at: number) => string;
  /** The project of a folder. */
  readonly projectOf: (folder: string) => string;
  /**
   * Names the time zone behind `dayOf`, identically in every process. Without it another process cannot reuse sums by
   * day.
   */
  readonly zone?: string;
}
