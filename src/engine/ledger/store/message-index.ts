import type { Database } from "./database.ts";

/**
 * The indexes by message. Messages' ids are in random order: while a ledger is filled, nearly every row would change
 * another page of them. Created at the end, they take a tenth of the time.
 */
const tables = ["responses", "tool_calls"];

/**
 * Creates the indexes if the ledger was filled without them. Call this before a query by message.
 * @param tidy releases unused memory: SQLite sorts in a temporary file, and each growth of it leaves a copy behind, ten
 * times its size in total
 */
export function indexMessages(db: Database, tidy?: () => void): void {
  for (const table of tables) {
    tidy?.();
    db.run(`CREATE INDEX IF NOT EXISTS ${table}_message ON ${table}(message_id)`);
  }
  tidy?.();
}

/**
 * Leaves the indexes of an empty ledger out until they are needed.
 *
 * @returns false for a ledger with rows: it has its indexes from now on, even if it was not filled completely
 */
export function fillWithoutIndexes(db: Database): boolean {
  const isEmpty = tables.every(
    (table) => db.first(`SELECT 1 FROM ${table} LIMIT 1`, [], () => true) === undefined,
  );
  if (!isEmpty) indexMessages(db);
  else for (const table of tables) db.run(`DROP INDEX IF EXISTS ${table}_message`);
  return isEmpty;
}
