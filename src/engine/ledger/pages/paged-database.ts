import { Database, type SqlEngine } from "../store/database.ts";
import { PagedBytes } from "./paged-bytes.ts";
import type { Pages } from "./page.ts";

/** A database of these pages; without any, a database without tables. */
export function pagedDatabase(engine: SqlEngine, pages: Pages): Database {
  return new Database(engine, pagedContent(engine, pages));
}

/** Pages as the content of a database. */
export function pagedContent(engine: SqlEngine, pages: Pages): PagedBytes {
  if (pages.count === 0) pages.write(0, firstPage(engine));
  return new PagedBytes(pages);
}

/** SQLite writes the first page with the first value it has to store. */
function firstPage(engine: SqlEngine): Uint8Array {
  const db = new Database(engine, null);
  for (const version of [1, 0]) db.execute(`PRAGMA user_version = ${version}`);
  const bytes = db.bytes();
  db.close();
  return bytes;
}
