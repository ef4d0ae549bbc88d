import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Database } from "../../../src/engine/ledger/database.ts";
import { encodeHeader, journalFormat } from "../../../src/engine/ledger/journal-line.ts";
import type { LedgerEntry } from "../../../src/engine/ledger/entry.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { migrate } from "../../../src/engine/ledger/migrate.ts";
import { migrations } from "../../../src/engine/ledger/migrations.ts";
import { openLedger } from "../../../src/engine/ledger/open-ledger.ts";
import { segmentPath } from "../../../src/engine/ledger/segment.ts";
import { scratchFolder } from "../support/scratch.ts";
import { diesAfter, engine, ids, ledgerPorts, open, response, tell } from "./support.ts";

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

test("Everything the first schema holds is the same under the last", async (t) => {
  const folder = scratchFolder(t);
  const old = await open(t, folder, { steps: migrations.slice(0, 1) });
  await tell(old, ...collected(1));
  await old.snapshot();
  await tell(old, ...collected(2));
  const before = await rows(old);
  await old.close();
  const ledger = await open(t, folder);
  assert.deepEqual(await rows(ledger), before);
  assert.ok([...before.values()].every((table) => table.length === 2));
  assert.deepEqual([...ledger.positions().keys()], ["/transcript-1", "/transcript-2"]);
});

test("Killed at any step of a migration, nothing is lost and the next start takes it", async (t) => {
  const found = new Set<number | null>();
  for (let steps = 0; steps < 12; steps += 1) {
    const folder = scratchFolder(t);
    const old = await open(t, folder, { steps: migrations.slice(0, 1) });
    await tell(old, ...collected(1));
    await old.snapshot();
    await tell(old, ...collected(2));
    const before = await rows(old);
    await old.close();
    const files = diesAfter(steps);
    files.arm();
    // Where the disk died decides whether it opens, is refused or throws: a killed process tells nobody.
    const dying = await openLedger({
      ...ledgerPorts({ host: `host-${steps}` }),
      folder,
      files: files.port,
    }).catch(() => undefined);
    // The rest of a killed process never runs: its lock stays, and its pid answers no more.
    rmSync(path.join(folder, "ledger.lock"), { force: true });
    const after = await open(t, folder);
    assert.deepEqual(await rows(after), before, `after ${steps} steps`);
    assert.deepEqual([after.report.setAside, after.report.journal.lost], [[], 0]);
    assert.equal(after.readOnly, null);
    found.add(after.report.migratedFrom);
    await after.close();
    assert.equal((await open(t, folder)).report.migratedFrom, null);
    if (dying?.ok === true) await dying.value.close().catch(() => undefined);
  }
  assert.deepEqual(found, new Set([1, null]), "killed before the migration was on disk, and after");
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

/** One of each kind that the first schema has a table for. */
function collected(number: number): LedgerEntry[] {
  const [sessionId, at] = [`session-${number}`, number];
  const tokens = { input: 1, output: 2, cacheCreation: 3, cacheRead: 4 };
  return [
    {
      kind: "session",
      id: sessionId,
      program: "claude-code",
      cwd: "/p",
      firstAt: at,
      lastAt: at,
      officialUsd: 0.5,
    },
    response(number, { sessionId, raw: { input_tokens: 10 } }),
    { kind: "tool-call", id: `call-${number}`, sessionId, tool: "Read", resultChars: 10, isError: false },
    { kind: "file-read", id: `call-${number}`, sessionId, path: "/p/a.ts", chars: 10 },
    {
      kind: "compaction",
      id: `compaction-${number}`,
      sessionId,
      trigger: "auto",
      isSidechain: false,
      longContext: false,
      preTokens: 160_000,
    },
    { kind: "run", id: `run-${number}`, sessionId, agent: "main", endedAt: at, ...tokens, completed: true },
    { kind: "hook-event", id: `hook-${number}`, sessionId, event: "Stop", durationMs: 1.5 },
    { kind: "position", path: `/transcript-${number}`, identity: "1:2", offset: 10, size: 10, state: "{}" },
  ];
}

/** The rows of the tables that the first schema has, as they are exported. */
async function rows(ledger: Ledger): Promise<Map<string, unknown[]>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of ledger.export({ format: "sqlite", since: null })) chunks.push(chunk);
  const db = new engine.Database(Buffer.concat(chunks));
  const tables = ["sessions", "responses", "tool_calls", "file_reads", "compactions", "runs", "hook_events"];
  const found = tables.map((table): [string, unknown[]] => [
    table,
    db.exec(`SELECT * FROM ${table} ORDER BY 1`)[0]?.values ?? [],
  ]);
  db.close();
  return new Map(found);
}
