import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Database } from "../../../src/engine/ledger/database.ts";
import { encodeHeader, journalFormat } from "../../../src/engine/ledger/journal-line.ts";
import { migrate } from "../../../src/engine/ledger/migrate.ts";
import { migrations } from "../../../src/engine/ledger/migrations.ts";
import { openLedger } from "../../../src/engine/ledger/open-ledger.ts";
import { segmentPath } from "../../../src/engine/ledger/segment.ts";
import { scratchFolder } from "../support/scratch.ts";
import { engine, ids, ledgerPorts, open, response, tell } from "./support.ts";

test("A ledger of the first schema opens under the last, with nothing lost and a copy kept", async (t) => {
  const folder = scratchFolder(t);
  const old = await open(t, folder, { steps: migrations.slice(0, 1) });
  await tell(old, response(1));
  await old.snapshot();
  await tell(old, response(2));
  await old.close();
  const ledger = await open(t, folder);
  assert.deepEqual(ids(ledger), ["msg_1", "msg_2"]);
  assert.equal(ledger.report.migratedFrom, 1);
  await tell(ledger, { kind: "rule", id: "r", agent: "main", body: "Read once.", status: "candidate" });
  await ledger.close();
  assert.ok(readdirSync(folder).includes("ledger.schema-1.sqlite"));
  assert.equal((await open(t, folder)).report.migratedFrom, null);
});

test("A migration that fails leaves everything as it was", async (t) => {
  const folder = await written(t);
  const before = readdirSync(folder).toSorted();
  const opened = await openLedger({
    ...ledgerPorts(),
    folder,
    steps: [...migrations, "CREATE TABLE runs (x)"],
  });
  assert.equal(opened.ok || opened.reason, "migration_failed");
  assert.deepEqual(readdirSync(folder).toSorted(), before);
  assert.deepEqual(ids(await open(t, folder)), ["msg_1"]);
});

test("A newer version's ledger is read, not written", async (t) => {
  const folder = scratchFolder(t);
  const newer = await open(t, folder, { steps: [...migrations, "ALTER TABLE runs ADD COLUMN mood TEXT"] });
  await tell(newer, response(1));
  await newer.snapshot();
  await newer.close();
  const ledger = await open(t, folder);
  assert.equal(ledger.readOnly?.reason, "newer_version");
  assert.match(ledger.readOnly.detail, /update purser/u);
  assert.deepEqual(ids(ledger), ["msg_1"]);
});

test("A newer version's ledger whose tables are other ones is left alone", async (t) => {
  const folder = scratchFolder(t);
  const newer = await open(t, folder, { steps: [...migrations, "ALTER TABLE positions RENAME TO places"] });
  await newer.compact();
  await newer.close();
  const opened = await openLedger({ ...ledgerPorts(), folder });
  assert.equal(opened.ok || opened.reason, "newer_version");
  assert.ok(readdirSync(folder).includes("ledger.sqlite"));
});

test("A newer version's journal is not written to", async (t) => {
  const folder = await written(t);
  const header = encodeHeader({ journal: journalFormat + 1, after: 2, first: 3 });
  writeFileSync(segmentPath(path.join(folder, "journal"), 3, 0), header);
  assert.equal((await open(t, folder)).readOnly?.reason, "newer_version");
});

test("Migrations are taken once", () => {
  const db = new Database(engine, null);
  migrate(db, migrations);
  migrate(db, migrations);
  db.close();
});

/** A folder with a ledger of one response, closed again. */
async function written(t: test.TestContext): Promise<string> {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await tell(ledger, response(1));
  await ledger.snapshot();
  await ledger.close();
  return folder;
}
