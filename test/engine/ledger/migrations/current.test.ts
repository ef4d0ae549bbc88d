import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { migrations } from "../../../../src/engine/ledger/migrations/migrations.ts";
import { textIn } from "../../../../src/engine/ledger/store/cell.ts";
import { Database } from "../../../../src/engine/ledger/store/database.ts";
import { migrate, schemaVersion } from "../../../../src/engine/ledger/store/migrate.ts";
import { engine } from "../support/support.ts";

const source = path.resolve(import.meta.dirname, "../../../../src/engine/ledger/migrations/current.ts");

const comment = `/**
 * What all migrations make of an empty file, for a new ledger: SQLite makes it in a tenth of the time. Never edited: a test writes it from
 * the migrations (UPDATE_GOLDEN=1), and compares it with them.
 */`;

test("A new ledger is what all migrations make of an empty file", () => {
  const [stepwise, whole] = [new Database(engine, null), new Database(engine, null)];
  // Another list of the same steps is run step by step.
  migrate(stepwise, [...migrations]);
  const wanted = `${comment}\nexport const currentSchema = \`\n${sqlOf(stepwise)}\n\`;\n`;
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(source, wanted);
  assert.equal(readFileSync(source, "utf8"), wanted, "UPDATE_GOLDEN=1 writes it from the migrations");
  migrate(whole, migrations);
  assert.equal(sqlOf(whole), sqlOf(stepwise));
  assert.equal(schemaVersion(whole), migrations.length);
  assert.equal(schemaVersion(stepwise), migrations.length);
});

/** All that a database has, as SQL: its schema, and its rows. */
function sqlOf(db: Database): string {
  const made = db.rows(
    "SELECT sql, name, type FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid",
    [],
    ([sql, name, type]) => ({ sql: textIn(sql), name: textIn(name), isTable: type === "table" }),
  );
  const rows = made.flatMap(({ name, isTable }) => (isTable ? rowsOf(db, name) : []));
  return [...made.map(({ sql }) => `${sql};`), ...rows].join("\n");
}

function rowsOf(db: Database, table: string): string[] {
  return db.rows(`SELECT * FROM ${table}`, [], (cells) => {
    const values = cells.map((cell) => (typeof cell === "number" ? cell : `'${textIn(cell)}'`));
    return `INSERT INTO ${table} VALUES (${values.join(", ")});`;
  });
}
