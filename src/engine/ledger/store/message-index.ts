import type { Database } from "./database.ts";

/**
 * The index of tool calls by message. Messages' ids come in no order: while a ledger is filled, nearly every call would
 * change another page of the index. Made at the end, it takes a tenth of the time.
 */
const make = "CREATE INDEX IF NOT EXISTS tool_calls_message ON tool_calls(message_id)";
const drop = "DROP INDEX IF EXISTS tool_calls_message";
const anyCall = "SELECT 1 FROM tool_calls LIMIT 1";

/** Makes the index if the ledger was filled without it. Call it before a query by message. */
export function indexMessages(db: Database): void {
  db.run(make);
}

/** Leaves the index out until it is needed. Does nothing once there are calls. */
export function fillWithoutIndex(db: Database): void {
  if (db.first(anyCall, [], () => true) === undefined) db.run(drop);
}
