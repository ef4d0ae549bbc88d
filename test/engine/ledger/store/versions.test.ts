import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Database } from "../../../../src/engine/ledger/store/database.ts";
import { encodeHeader, journalFormat } from "../../../../src/engine/ledger/journal/line.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { migrate } from "../../../../src/engine/ledger/store/migrate.ts";
import { firstSchema, firstVersion, migrations } from "../../../../src/engine/ledger/store/migrations.ts";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { workingPaths } from "../../../../src/engine/ledger/pages/working-file.ts";
import { segmentPath } from "../../../../src/engine/ledger/journal/segment.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { diesAfter, engine, ids, ledgerPorts, open, response, appendEntries } from "../support/support.ts";

/** Versions before the first release: an early one, and the last. */
const earlier = [3, firstVersion - 1] as const;
type Earlier = (typeof earlier)[number];

for (const version of earlier)
  test(`A ledger of version ${version}, before the first release, opens with all its rows, and a copy is kept`, async (t) => {
    const before = await expected(t, version);
    const folder = await writtenUnder(t, version, [collected(1), collected(2)]);
    const ledger = await open(t, folder);
    assert.equal(ledger.report.migratedFrom, version);
    assert.deepEqual(withoutPositions(await rows(ledger, version)), withoutPositions(before));
    for (const table of ["sessions", "responses", "runs", "hook_events"])
      assert.equal(before.get(table)?.length, 2, table);
    assert.equal(ledger.report.reread, true);
    assert.deepEqual([...ledger.ask("positions", null).keys()], [], "transcripts are read again");
    await ledger.close();
    assert.ok(readdirSync(folder).includes(`ledger.schema-${version}.sqlite`));
    assert.equal((await open(t, folder)).report.migratedFrom, null);
  });

test("A database that was carried over has the tables, indexes and triggers of the first schema", () => {
  const [fresh, old] = [new Database(engine, null), databaseOf(3)];
  migrate(fresh, migrations);
  migrate(old, migrations);
  const made = (db: Database) =>
    db.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL", [], ([sql]) => String(sql)).toSorted();
  assert.deepEqual(made(old), made(fresh));
  for (const db of [fresh, old]) db.close();
});

test("Counts of an earlier version are replaced when the transcript is read again, and marked if it cannot be", async (t) => {
  const codex = (id: string): LedgerEntry => ({ kind: "session", id, program: "codex" });
  const folder = await writtenUnder(t, firstVersion - 1, [
    [codex("there"), codex("gone"), { kind: "session", id: "rewritten", program: "claude-code" }],
    [
      response(1, { sessionId: "there" }),
      response(2, { sessionId: "gone" }),
      response(3, { sessionId: "rewritten" }),
    ],
  ]);
  const ledger = await open(t, folder);
  const usage = { by: "day", since: null, until: null, project: null, program: null } as const;
  const counted = (of: Ledger) => of.ask("usage", usage).totals.responses;
  const marked = (of: Ledger) =>
    of.ask("sessions", {}).flatMap((each) => (each.isCountedBefore ? [each.id] : []));
  assert.deepEqual(marked(ledger).sort(), ["gone", "rewritten", "there"]);
  assert.equal(counted(ledger), 3, "nothing is lost before it is counted again");
  // A fork's copy comes from another file.
  await appendEntries(ledger, response(9, { sessionId: "gone", isCopy: true }));
  // One response of a growing total became two, and the agent removed the first rows of the other transcript.
  await appendEntries(
    ledger,
    response(4, { sessionId: "there" }),
    response(5, { sessionId: "there" }),
    response(6, { sessionId: "rewritten" }),
  );
  assert.deepEqual(marked(ledger), ["gone"]);
  const ofSessions = (of: Ledger) =>
    Object.fromEntries(of.ask("sessions", {}).map(({ id, responses }) => [id, responses]));
  assert.deepEqual(ofSessions(ledger), { there: 2, gone: 2, rewritten: 2 });
  await ledger.close();
  const again = await open(t, folder);
  assert.equal(again.report.reread, false);
  assert.deepEqual(marked(again), ["gone"], "also after the next start");
  assert.deepEqual(ofSessions(again), { there: 2, gone: 2, rewritten: 2 });
});

test("Measurements from before the first release are kept", async (t) => {
  const folder = await writtenUnder(t, 3, [
    [
      { kind: "baseline", agent: "main", taskHash: "t", run1Tokens: 100, bestTokens: 80, at: 5 },
      { kind: "rule", id: "r", agent: "main", body: "Read once.", status: "candidate" },
      { kind: "question", id: "q", agent: "main", body: "Why?", status: "open" },
    ],
    [],
  ]);
  const ledger = await open(t, folder);
  const better = { kind: "baseline", agent: "main", taskHash: "t", run1Tokens: 60, bestTokens: 60 } as const;
  await appendEntries(ledger, better, { ...better, model: "ship-1" });
  const found = await rows(ledger, "latest");
  assert.deepEqual(found.get("baselines"), [
    '["main","t","","","",null,100,60,5]',
    '["main","t","ship-1","","",null,60,60,null]',
  ]);
  assert.equal(found.get("rules")?.length, 1);
  assert.equal(found.get("questions")?.length, 1);
});

test("An earlier receipt names its driver, whether it was in the snapshot or in the journal", async (t) => {
  const receipt = (id: string, driver: string): LedgerEntry => ({
    kind: "receipt",
    id,
    subject: "rule",
    subjectId: "r",
    at: 1,
    verdict: "saves",
    json: JSON.stringify({ driver, verdict: { saving: { value: 12 } } }),
  });
  const folder = await writtenUnder(t, firstVersion - 1, [
    [receipt("a", "replay")],
    [receipt("b", "claude")],
  ]);
  const book = (await open(t, folder)).ask("ruleBook", null);
  assert.deepEqual(book.receipts.map(({ id, driver, saving }) => [id, driver, saving]).toSorted(), [
    ["a", "replay", 12],
    ["b", "claude", 12],
  ]);
});

test("After a kill at any step of a migration, nothing is lost, and the next start completes it", async (t) => {
  const found = new Set<number | null>();
  const before = await expected(t, 3);
  for (let steps = 0; steps < 40; steps += 1) {
    const folder = await writtenUnder(t, 3, [collected(1), collected(2)]);
    const files = diesAfter(steps);
    files.arm();
    // It opens, is rejected or throws, depending on when the disk died: a killed process reports nothing.
    const dying = await openLedger({
      // The rest of a killed process never runs: its lock stays, and its pid no longer responds.
      ...ledgerPorts({ pid: process.pid + 1 }),
      folder,
      files: files.port,
    }).catch(() => undefined);
    const after = await open(t, folder);
    assert.deepEqual(
      withoutPositions(await rows(after, 3)),
      withoutPositions(before),
      `after ${steps} steps`,
    );
    assert.deepEqual([...after.ask("positions", null).keys()], [], `after ${steps} steps`);
    assert.deepEqual([after.report.setAside, after.report.journal.lost], [[], 0]);
    assert.equal(after.readOnly, null);
    found.add(after.report.migratedFrom);
    await after.close();
    assert.equal((await open(t, folder)).report.migratedFrom, null);
    if (dying?.ok === true) await dying.value.close().catch(() => undefined);
  }
  assert.deepEqual(found, new Set([3, null]), "killed before the migration was on disk, and after");
});

test("A failed migration leaves everything unchanged", async (t) => {
  const folder = await written(t);
  const names = () =>
    readdirSync(folder)
      .filter((name) => !name.endsWith(".lock"))
      .toSorted();
  const before = names();
  const opened = await openLedger({
    ...ledgerPorts(),
    folder,
    steps: [...migrations, "CREATE TABLE runs (x)"],
  });
  assert.ok(!opened.ok && opened.reason === "migration_failed");
  assert.match(
    opened.detail.text,
    /^the tables of .+ledger\.sqlite, of an earlier purser \(schema \d+\), cannot be brought up to date$/u,
  );
  assert.deepEqual(names(), before);
  assert.deepEqual(ids(await open(t, folder)), ["msg_1"]);
});

test("A newer version's ledger is read, not written", async (t) => {
  const folder = scratchFolder(t);
  const newer = await open(t, folder, { steps: [...migrations, "ALTER TABLE runs ADD COLUMN mood TEXT"] });
  await appendEntries(newer, response(1));
  await newer.snapshot();
  await newer.close();
  const ledger = await open(t, folder);
  assert.equal(ledger.readOnly?.reason, "newer_version");
  assert.match(ledger.readOnly.detail.text, /update purser/u);
  assert.deepEqual(ids(ledger), ["msg_1"]);
});

test("A newer version's ledger with other tables is left alone", async (t) => {
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

test("Migrations run once", () => {
  const db = new Database(engine, null);
  migrate(db, migrations);
  migrate(db, migrations);
  db.close();
});

/** A folder with a ledger of one response, closed again. */
async function written(t: test.TestContext): Promise<string> {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(ledger, response(1));
  await ledger.snapshot();
  await ledger.close();
  return folder;
}

/** One entry of each kind that has a table in the first schema. */
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

/** The rows a ledger stores for entries in a schema's tables, without any migration. */
async function expected(t: test.TestContext, version: Earlier): Promise<Map<string, unknown[]>> {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, ...collected(1), ...collected(2));
  return rows(ledger, version);
}

/** A folder as an older version left it: the first entries in a snapshot of its schema, the rest in the journal. */
async function writtenUnder(
  t: test.TestContext,
  version: Earlier,
  [snapshot, journal]: [LedgerEntry[], LedgerEntry[]],
): Promise<string> {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(ledger, ...snapshot);
  await ledger.snapshot();
  await appendEntries(ledger, ...journal);
  await ledger.close();
  const file = path.join(folder, "ledger.sqlite");
  const present = new Database(engine, readFileSync(file));
  const old = databaseOf(version);
  old.execute("DELETE FROM meta");
  for (const [table, columns] of tablesOf(version)) {
    const names = columns.map((name) => `"${name}"`).join(", ");
    const values = present.rows(`SELECT ${names} FROM ${table} ORDER BY rowid`, [], (cells) => cells);
    const marks = columns.map(() => "?").join(", ");
    for (const cells of values) old.run(`INSERT INTO ${table} (${names}) VALUES (${marks})`, cells);
  }
  writeFileSync(file, old.bytes());
  // Its checksums belong to the replaced file: without them SQLite itself checks it. That version had no working file.
  rmSync(path.join(folder, "ledger.sums.json"));
  for (const file of Object.values(workingPaths(folder))) rmSync(file, { force: true });
  for (const db of [present, old]) db.close();
  return folder;
}

/** A schema's tables, with their stored columns that the latest schema still has: no version wrote the others. */
function tablesOf(version: Earlier | "latest"): [string, string[]][] {
  const last = new Map(allTablesOf("latest"));
  return allTablesOf(version).flatMap(([table, columns]): [string, string[]][] => {
    const kept = last.get(table);
    return kept === undefined ? [] : [[table, columns.filter((column) => kept.includes(column))]];
  });
}

function allTablesOf(version: Earlier | "latest"): [string, string[]][] {
  const db = databaseOf(version);
  const tables = namesIn(db).map((name): [string, string[]] => [
    name,
    db.rows(`PRAGMA table_info(${name})`, [], (cells) => String(cells[1])),
  ]);
  db.close();
  return tables;
}

/** An empty database of a version. */
function databaseOf(version: Earlier | "latest"): Database {
  const db = new Database(engine, null);
  if (version === 3) db.execute(readFileSync(path.join(import.meta.dirname, "schema-3.sql"), "utf8"));
  else if (version === "latest") migrate(db, migrations);
  else
    db.execute(
      `${firstSchema}; ALTER TABLE sessions DROP COLUMN counted_before; PRAGMA user_version = ${version}`,
    );
  return db;
}

function namesIn(db: Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid";
  return db.rows(sql, [], ([name]) => String(name));
}

/** The exported rows of a schema's tables and columns. */
async function rows(ledger: Ledger, version: Earlier | "latest"): Promise<Map<string, unknown[]>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of ledger.export({ format: "sqlite", since: null })) chunks.push(chunk);
  const db = new engine.Database(Buffer.concat(chunks));
  const found = tablesOf(version).map(([table, columns]): [string, unknown[]] => {
    const names = columns.map((name) => `"${name}"`).join(", ");
    const values = db.exec(`SELECT ${names} FROM ${table}`)[0]?.values ?? [];
    return [table, values.map((cells) => JSON.stringify(cells)).sort()];
  });
  db.close();
  return new Map(found);
}

/** Removes the positions in transcripts, so that they are read again. */
function withoutPositions<Rows>(tables: ReadonlyMap<string, Rows>): ReadonlyMap<string, Rows> {
  return new Map([...tables].filter(([table]) => table !== "positions" && table !== "meta"));
}
