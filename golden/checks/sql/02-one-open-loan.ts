import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Database } from "../../src/server/db/database.ts";
import { migrate, migrationsFolder } from "../../src/server/db/migrate.ts";

const add =
  "INSERT INTO loans (id, item_id, member_id, lent_at, due_at, returned_at) VALUES (?, ?, 1, ?, '2026-03-09', ?)";

async function withItems(): Promise<Database> {
  const db = await Database.open(null);
  const old = mkdtempSync(path.join(tmpdir(), "old-"));
  for (const name of readdirSync(migrationsFolder).filter((each) => each < "003"))
    cpSync(path.join(migrationsFolder, name), path.join(old, name));
  migrate(db, old);
  db.script(`INSERT INTO members (id, name, email, kind, joined_on) VALUES (1, 'Ada', 'ada@lab.example', 'staff', '2026-01-01');
    INSERT INTO items (id, asset_tag, name, category) VALUES (1, 'A', 'A', 'camera'), (2, 'B', 'B', 'camera'), (3, 'C', 'C', 'camera'), (4, 'D', 'D', 'lens')`);
  return db;
}

// A database of before, in which it happened.
const db = await withItems();
const old: [id: number, item: number, lent: string, returned: string | null][] = [
  [1, 1, "2026-03-02T10:00:00.000Z", null],
  [2, 1, "2026-03-01T10:00:00.000Z", null],
  [3, 1, "2026-02-01T10:00:00.000Z", "2026-02-03T10:00:00.000Z"],
  [4, 2, "2026-03-01T10:00:00.000Z", null],
  [5, 2, "2026-03-01T10:00:00.000Z", null],
  [6, 2, "2026-03-01T11:00:00.000Z", null],
  [7, 3, "2026-03-01T10:00:00.000Z", null],
];
for (const row of old) db.run(add, row);
assert.ok(migrate(db).length > 0, "there is no new migration");
const returned = db
  .all("SELECT id, returned_at FROM loans ORDER BY id")
  .map((row) => [row.id, row.returned_at]);
assert.deepEqual(returned, [
  [1, "2026-03-02T10:00:00.000Z"],
  [2, null],
  [3, "2026-02-03T10:00:00.000Z"],
  [4, null],
  [5, "2026-03-01T10:00:00.000Z"],
  [6, "2026-03-01T11:00:00.000Z"],
  [7, null],
]);
assert.deepEqual(migrate(db), [], "migrations ran twice");

const refused = (work: () => unknown, what: string) => assert.throws(work, /unique|constraint|open/i, what);
refused(() => db.run(add, [20, 1, "2026-03-05", null]), "a second open loan was added");
refused(
  () => db.run("UPDATE loans SET returned_at = NULL WHERE id = 3"),
  "a loan that was over was opened again beside another",
);
refused(
  () => db.run("UPDATE loans SET item_id = 1 WHERE id = 7"),
  "an open loan was moved to an item that is out",
);

// What is right goes on as before.
for (const id of [30, 31]) db.run(add, [id, 1, "2026-02-10", "2026-02-11"]);
db.run(add, [32, 4, "2026-03-05", null]);
db.run("UPDATE loans SET returned_at = '2026-03-06' WHERE id = 32");
db.run(add, [33, 4, "2026-03-06", null]);

// A new database has it too.
const fresh = await Database.open(null);
migrate(fresh);
fresh.script(`INSERT INTO members (id, name, email, kind, joined_on) VALUES (1, 'Ada', 'ada@lab.example', 'staff', '2026-01-01');
  INSERT INTO items (id, asset_tag, name, category) VALUES (1, 'A', 'A', 'camera')`);
fresh.run(add, [1, 1, "2026-03-05", null]);
refused(() => fresh.run(add, [2, 1, "2026-03-05", null]), "a second open loan was added to a new database");
