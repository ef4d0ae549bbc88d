/**
 * The version of the first schema, as `PRAGMA user_version`. Lower numbers are ledgers from before the first release:
 * `migrate` copies the rows of all tables and columns that the first schema has, secrets are removed, and transcripts
 * are read again.
 */
export const firstVersion = 24;

/** Steps after the first schema, oldest first; each adds 1 to `PRAGMA user_version`. A released step is never edited. */
export const migrations: readonly string[] = [];

/** The version of a ledger after all steps. */
export function latestVersion(steps: readonly string[] = migrations): number {
  return firstVersion + steps.length;
}
