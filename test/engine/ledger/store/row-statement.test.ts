import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { SqlValue } from "sql.js";
import { Database } from "../../../../src/engine/ledger/store/database.ts";
import { RowStatement } from "../../../../src/engine/ledger/store/row-statement.ts";
import { engine } from "../support/support.ts";

const table = "CREATE TABLE things (one, other, third TEXT, CHECK (third IS NOT 'no'))";
const insert = "INSERT INTO things VALUES (?, ?, ?)";

const value = fc.oneof(
  fc.constantFrom<SqlValue>(
    null,
    "",
    "no",
    0,
    -0,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31) - 1,
    Number.MAX_SAFE_INTEGER,
    NaN,
  ),
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.string({ minLength: 5000, maxLength: 20_000 }),
  fc.string({ unit: fc.constantFrom("a", "\0") }),
  fc.integer(),
  fc.double(),
  fc.uint8Array(),
);

test("a row statement writes the same as sql.js, and fails with its messages", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value, value), { maxLength: 12 }), (rows) => {
      const [own, usual] = [new engine.Database(), new engine.Database()];
      for (const db of [own, usual]) db.run(table);
      const statement = new RowStatement(engine, own.prepare(insert), insert);
      const other = usual.prepare(insert);
      for (const row of rows)
        assert.equal(
          outcomeOf(() => statement.run(row)),
          outcomeOf(() => other.run(row)),
        );
      const content = "SELECT one, other, third, typeof(one), typeof(other), typeof(third) FROM things";
      assert.deepEqual(own.exec(content), usual.exec(content));
      for (const db of [own, usual]) db.close();
    }),
  );
});

test("a value equal to the previous row's is written again, also after a row that sql.js writes", () => {
  const db = new engine.Database();
  db.run(table);
  const statement = new RowStatement(engine, db.prepare(insert), insert);
  const rows = [
    ["same", 1, null],
    ["same", 1, "other"],
    ["wider: é", 1, "other"],
    ["wider: é", 1, "other"],
    ["same", null, "other"],
    ["same", 1, "other"],
  ];
  for (const row of rows) statement.run([...row]);
  assert.deepEqual(db.exec("SELECT * FROM things ORDER BY rowid")[0]?.values, rows);
  db.close();
});

test("sql.js has the members that a row statement needs", () => {
  const db = new engine.Database();
  db.run(table);
  const prepared = db.prepare(insert);
  const statement = new RowStatement(engine, prepared, insert);
  prepared.run = () => assert.fail("the row was left to sql.js");
  statement.run(["a", 1.5, null]);
  assert.deepEqual(db.exec("SELECT * FROM things")[0]?.values, [["a", 1.5, null]]);
  db.close();
});

test("an engine with other functions writes rows too", () => {
  const db = new engine.Database();
  db.run(table);
  new RowStatement(
    { Database: engine.Database, Statement: engine.Statement },
    db.prepare(insert),
    insert,
  ).run(["a", 1, null]);
  assert.deepEqual(db.exec("SELECT * FROM things")[0]?.values, [["a", 1, null]]);
  db.close();
});

test("a database's statements survive the growth of SQLite's memory", () => {
  const db = new Database(engine, null);
  db.execute(table);
  for (let number = 0; number < 300; number += 1)
    db.run(insert, [number, new Uint8Array(200_000), "x".repeat(number)]);
  for (let number = 0; number < 300; number += 1) db.run(insert, [number, null, "x".repeat(number)]);
  const count = "SELECT count(*), sum(length(third)) FROM things";
  assert.deepEqual(
    db.first(count, [], (cells) => cells),
    [600, 300 * 299],
  );
  db.close();
});

function outcomeOf(work: () => void): string {
  try {
    work();
    return "done";
  } catch (error) {
    return String(error);
  }
}
