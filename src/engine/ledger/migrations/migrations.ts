/**
 * The version of the first schema, as `PRAGMA user_version`. Lower numbers are ledgers of before the first release: `migrate` carries over
 * the rows of the tables and columns that the first schema has, secrets are removed, and transcripts are read again.
 */
export const firstVersion = 24;

/** Steps after the first schema, oldest first; each adds 1 to `PRAGMA user_version`. A released step is never edited. */
export const migrations: readonly string[] = [];

/** The version of a ledger that has had all steps. */
export function latestVersion(steps: readonly string[] = migrations): number {
  return firstVersion + steps.length;
}
