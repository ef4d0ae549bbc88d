import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { migrate } from "../../../../src/engine/ledger/store/migrate.ts";
import { migrations } from "../../../../src/engine/ledger/store/migrations.ts";
import { pagedDatabase, type Database } from "../../../../src/engine/ledger/store/database.ts";
import { PagedFile } from "../../../../src/engine/ledger/pages/paged-file.ts";
import { numberIn } from "../../../../src/engine/ledger/store/cell.ts";
import { EntryWriter } from "../../../../src/engine/ledger/store/entry-writer.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { engine, response } from "../support/support.ts";

function begun() {
  const pages = new PagedFile(null);
  const db = pagedDatabase(engine, pages);
  migrate(db, migrations);
  return { db, pages, writer: new EntryWriter(db) };
}

function responses(from: number, count: number): LedgerEntry[] {
  return Array.from({ length: count }, (_, index) => response(from + index));
}

test("the parts of a burst are in every answer at once, and in the pages after a commit", () => {
  const { db, pages, writer } = begun();
  const before = pages.count;
  writer.write(responses(0, 2000), 2000);
  assert.equal(countIn(db), 2000);
  assert.equal(pages.count, before);
  writer.commit();
  assert.ok(pages.count > before);
  db.close();
});

test("a few entries are in the pages at once, with the burst before them", () => {
  const { db, pages, writer } = begun();
  const before = pages.count;
  writer.write(responses(0, 2000), 2000);
  writer.write([], 2000);
  assert.ok(pages.count > before);
  const burst = pages.count;
  for (let number = 2000; number < 2100; number += 1) writer.write([response(number)], number + 1);
  assert.ok(pages.count > burst);
  db.close();
});

test("a part that does not fit takes back nothing else of its burst", () => {
  const { db, writer } = begun();
  writer.write(responses(0, 1500), 1500);
  const { usage } = response(1);
  // More than SQLite's integers hold: a stand-in for any bug.
  const bad = response(9999, { usage: { ...usage, input: 2 ** 70 } });
  assert.throws(() => writer.write([...responses(1500, 1500), bad], 3001), /cannot store REAL value/u);
  assert.equal(countIn(db), 1500);
  writer.write(responses(1500, 1500), 3000);
  writer.commit();
  assert.equal(countIn(db), 3000);
  assert.equal(
    db.first("SELECT value FROM meta WHERE key = 'applied'", [], ([value]) => numberIn(value)),
    3000,
  );
  db.close();
});

test("a ledger with responses finds their copies", () => {
  const { db, writer } = begun();
  writer.write(responses(0, 10), 10);
  const later = new EntryWriter(db);
  later.write([...responses(0, 10), response(3, { requestId: "another" })], 21);
  assert.equal(countIn(db), 11);
  db.close();
});

test("a message's copies are found equally with and without an index", () => {
  const copy = fc.record({
    number: fc.nat({ max: 6 }),
    requestId: fc.constantFrom("one", "other", null),
    isSidechain: fc.boolean(),
    isCopy: fc.boolean(),
    sessionId: fc.constantFrom("a", "b"),
    output: fc.nat({ max: 3 }),
  });
  fc.assert(
    fc.property(
      fc.array(fc.array(copy, { maxLength: 6 }), { maxLength: 6 }),
      fc.nat({ max: 6 }),
      (parts, at) => {
        const outcomes = [parts.length, at, 0].map((end) => {
          const { db, writer } = begun();
          for (const [index, part] of parts.entries()) {
            if (index >= end) writer.endFill();
            const entries = part.flatMap(({ number, output, ...of }): LedgerEntry[] => {
              const usage = { ...noUsage, output };
              const call = { kind: "tool-call", id: `toolu_${number}`, messageId: `msg_${number}` } as const;
              return [response(number, { ...of, usage }), { ...call, sessionId: of.sessionId }];
            });
            writer.write(entries, index + 1);
          }
          writer.endFill();
          const rows = ["responses", "tool_calls", "sessions"].map((table) =>
            db.rows(`SELECT rowid, * FROM ${table} ORDER BY rowid`, [], (cells) => cells),
          );
          db.close();
          return rows;
        });
        assert.deepEqual(outcomes[1], outcomes[0]);
        assert.deepEqual(outcomes[2], outcomes[0]);
      },
    ),
    { numRuns: 40 },
  );
});

test("a ledger that was not filled completely has its indexes before the next response", () => {
  const { db, writer } = begun();
  const indexes = () =>
    db.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%_message'", [], (cells) => cells).length;
  writer.write(responses(0, 10), 10);
  assert.equal(indexes(), 0);
  new EntryWriter(db).write([response(3)], 11);
  assert.equal(indexes(), 2);
  assert.equal(countIn(db), 10);
  db.close();
});

test("messages are found after a part was rolled back", () => {
  const { db, writer } = begun();
  writer.write(responses(0, 5), 5);
  const { usage } = response(1);
  const bad = response(9999, { usage: { ...usage, input: 2 ** 70 } });
  assert.throws(() => writer.write([...responses(5, 5), bad], 11));
  writer.write([...responses(7, 3), ...responses(0, 10)], 21);
  assert.equal(countIn(db), 10);
  db.close();
});

function countIn(db: Database): number | undefined {
  return db.first("SELECT count(*) FROM responses", [], ([count]) => numberIn(count));
}

test("a response that is read again takes over its price terms and context", () => {
  const { db, writer } = begun();
  const details = { priceTerms: "fast", lastContext: 110_003, lastOutput: 300 };
  const stored = () =>
    db.rows("SELECT price_terms, last_context, last_output, is_counted FROM responses", [], (cells) => cells);
  writer.write([response(1)], 1);
  assert.deepEqual(stored(), [[null, null, null, 1]]);
  writer.write([response(1, details)], 2);
  writer.write([response(1)], 3);
  assert.deepEqual(stored(), [["fast", 110_003, 300, 1]]);
  db.close();
});
