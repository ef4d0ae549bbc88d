import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import test from "node:test";
import fc from "fast-check";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../support/scratch.ts";
import { compaction, everyKind } from "./support/every-kind.ts";
import {
  engine,
  FullDisk,
  ids,
  ledgerPorts,
  open,
  response,
  segments,
  appendEntries,
} from "./support/support.ts";
import { openLedger } from "../../../src/engine/ledger/store/open.ts";

test("Appended entries are there after opening again, with and without a snapshot", async (t) => {
  const folder = scratchFolder(t);
  for (const round of [1, 2, 3]) {
    const ledger = await open(t, folder);
    assert.equal(ledger.ask("responses", "session-1").length, round - 1);
    await appendEntries(ledger, response(round));
    if (round === 2) assert.ok((await ledger.snapshot()).ok);
    await ledger.close();
  }
  const ledger = await open(t, folder);
  assert.deepEqual(ids(ledger), ["msg_1", "msg_2", "msg_3"]);
  assert.deepEqual(await ledger.check(), []);
  assert.equal(ledger.report.snapshot, "current");
});

test("Every kind of entry is one row, appended once or twice, and a stock SQLite reads the file", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(ledger, ...everyKind);
  const sizes = await tableSizes(ledger);
  await appendEntries(ledger, ...everyKind);
  assert.deepEqual(await tableSizes(ledger), sizes);
  // No sums were requested yet, and no hook or hit is old.
  assert.deepEqual(
    // Two numbers: how much of the journal is applied, and which ledger it is.
    [...sizes].filter(([table, size]) => size !== (table === "meta" ? 2 : 1)),
    [
      "session_usage",
      "session_calls",
      "session_rereads",
      "hook_sums",
      "guard_sums",
      "session_costs",
      "session_savings",
    ].map((table) => [table, 0]),
  );
  assert.ok((await ledger.snapshot()).ok);
  const stock = new DatabaseSync(path.join(folder, "ledger.sqlite"), { readOnly: true });
  t.after(() => stock.close());
  assert.deepEqual({ ...stock.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" });
  assert.deepEqual(stock.prepare("PRAGMA foreign_key_check").all(), []);
});

test("Only its owner may read a file", { skip: process.platform === "win32" }, async (t) => {
  const folder = path.join(scratchFolder(t), "purser");
  const ledger = await open(t, folder);
  await appendEntries(ledger, response(1));
  await ledger.snapshot();
  const mode = (file: string) => statSync(file).mode & 0o777;
  assert.equal(mode(folder), 0o700);
  for (const name of readdirSync(folder).filter((each) => each !== "journal"))
    assert.equal(mode(path.join(folder, name)), 0o600, name);
});

test("Many simultaneous appends share flushes", async (t) => {
  const disk = new FullDisk();
  const ledger = await open(t, scratchFolder(t), { files: disk.files });
  await Promise.all(Array.from({ length: 200 }, (_, number) => appendEntries(ledger, response(number))));
  assert.equal(ids(ledger).length, 200);
  assert.ok(disk.flushes < 20, `${disk.flushes} flushes`);
});

test("A bad entry is refused by name, and nothing from its append is stored", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const bad = response(2, { usage: { ...response(2).usage, input: -1 } });
  const refused = await ledger.append([response(1), bad]);
  assert.ok(!refused.ok);
  assert.equal(refused.reason, "bad_entry");
  assert.match(refused.detail.text, /entry 1: .*usage\.input/su);
  assert.deepEqual(ids(ledger), []);
});

test("An unreported value does not erase a reported one", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, { kind: "session", id: "s", title: "A title", firstAt: 5, lastAt: 7 });
  await appendEntries(ledger, { kind: "session", id: "s", branch: "main", firstAt: 3, lastAt: 6 });
  const [session] = ledger.ask("sessions", {});
  assert.deepEqual(
    [session?.title, session?.branch, session?.firstAt, session?.lastAt],
    ["A title", "main", 3, 7],
  );
});

test("A baseline's first run is frozen, and its best only falls", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  for (const [run1Tokens, bestTokens] of [
    [100, 100],
    [50, 80],
    [200, 90],
  ] as const)
    await appendEntries(ledger, { kind: "baseline", agent: "main", taskHash: "t", run1Tokens, bestTokens });
  await ledger.snapshot();
  const stock = new DatabaseSync(path.join(folder, "ledger.sqlite"), { readOnly: true });
  t.after(() => stock.close());
  assert.deepEqual(
    { ...stock.prepare("SELECT run1_tokens, best_tokens FROM baselines").get() },
    {
      run1_tokens: 100,
      best_tokens: 80,
    },
  );
});

test("A baseline belongs to a model, a suite and a driver", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const baseline = { kind: "baseline", agent: "main", taskHash: "t", run1Tokens: 5, bestTokens: 5 } as const;
  await appendEntries(
    ledger,
    baseline,
    { ...baseline, model: "ship-1" },
    { ...baseline, driver: "replay" },
    baseline,
  );
  assert.equal((await tableSizes(ledger)).get("baselines"), 3);
});

test("Decisions never change: steps, receipts and compiled memories", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const receipt = { kind: "receipt", id: "x", subject: "rule", subjectId: "u", at: 1, json: "{}" } as const;
  await appendEntries(ledger, { ...receipt, verdict: "regression" });
  await appendEntries(ledger, { ...receipt, verdict: "saves", json: '{"better":true}', at: 2 });
  const chunks: Uint8Array[] = [];
  for await (const chunk of ledger.export({ format: "sqlite", since: null })) chunks.push(chunk);
  const db = new engine.Database(Buffer.concat(chunks));
  assert.deepEqual(db.exec("SELECT verdict, at, json FROM receipts")[0]?.values, [["regression", 1, "{}"]]);
  db.close();
});

test("Only one process may write; others read", async (t) => {
  const folder = scratchFolder(t);
  const writer = await open(t, folder);
  await appendEntries(writer, response(1));
  const reader = await open(t, folder);
  assert.equal(reader.readOnly?.reason, "locked");
  assert.deepEqual(ids(reader), ["msg_1"]);
  const refused = await reader.append([response(2)]);
  assert.equal(refused.ok || refused.reason, "read_only");
  await writer.close();
  assert.equal((await open(t, folder)).readOnly, null);
});

test("A closed ledger reports that it is closed", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await ledger.close();
  const refused = await ledger.append([response(1)]);
  assert.equal(refused.ok || refused.reason, "closed");
});

test("A large journal makes a snapshot by itself, and old segments are removed afterwards", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder, { snapshotAfter: 20_000 });
  for (let number = 0; number < 400; number += 1) await appendEntries(ledger, response(number));
  await ledger.snapshot();
  await appendEntries(ledger, response(400));
  await ledger.snapshot();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".sqlite")),
    ["ledger.sqlite", "ledger.work.sqlite"],
  );
  assert.equal(segments(folder).length, 1, segments(folder).join("\n"));
  await ledger.close();
  assert.equal((await open(t, folder)).ask("responses", "session-1").length, 401);
});

test("A snapshot without new entries is not made again", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(ledger, response(1));
  await ledger.snapshot();
  const before = statSync(path.join(folder, "ledger.sqlite")).ino;
  await ledger.snapshot();
  assert.equal(statSync(path.join(folder, "ledger.sqlite")).ino, before);
  assert.ok((await ledger.compact()).ok);
  assert.notEqual(statSync(path.join(folder, "ledger.sqlite")).ino, before);
});

test("Positions are stored by path, and removed together", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, { kind: "position", path: "/a", identity: "1:2", offset: 10, state: "{}" });
  await appendEntries(ledger, { kind: "position", path: "/a", identity: "1:3", offset: 5 });
  const known = { path: "/a", identity: "1:3", offset: 5, size: null, modifiedAt: null };
  assert.deepEqual(ledger.ask("position", "/a"), { ...known, state: "{}" });
  assert.deepEqual([...ledger.ask("positions", null)], [["/a", { ...known, state: null }]]);
  assert.deepEqual(
    [...ledger.ask("readFiles", null)],
    [["/a", { size: null, modifiedAt: null, leavesRowsOut: false }]],
  );
  assert.equal(ledger.ask("position", "/b"), null);
  await appendEntries(ledger, { kind: "forget-positions" });
  assert.equal(ledger.ask("positions", null).size, 0);
});

test("Recent runs: the last 50 completed ones of real work, by nearest rank, at least five", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const run = (number: number, over = {}): LedgerEntry => ({
    kind: "run",
    id: `run-${number}`,
    sessionId: "s",
    agent: "main",
    endedAt: number,
    input: number,
    output: 0,
    cacheCreation: 0,
    cacheRead: 999,
    completed: true,
    ...over,
  });
  await appendEntries(
    ledger,
    run(1),
    run(2),
    run(3),
    run(4),
    run(900, { completed: false }),
    run(901, { sessionId: "task", taskHash: "t" }),
  );
  assert.deepEqual(ledger.ask("recentRuns", "main"), { runs: 4, median: null, p75: null });
  // The transcript of a golden task's session contains its own runs.
  await appendEntries(
    ledger,
    run(902, { sessionId: "golden" }),
    run(903, { sessionId: "golden", taskHash: "t", driver: "claude" }),
  );
  assert.equal(ledger.ask("recentRuns", "main").runs, 4);
  await appendEntries(ledger, run(5), run(6));
  assert.deepEqual(ledger.ask("recentRuns", "main"), { runs: 6, median: 3.5, p75: 5 });
  await appendEntries(ledger, run(7, { agent: "Explore", model: "ship-1" }), run(8, { agent: "Explore" }));
  assert.deepEqual(ledger.ask("recentTokens", { agentId: "main", model: null }), [6, 5, 4, 3, 2, 1]);
  assert.deepEqual(ledger.ask("recentTokens", { agentId: "Explore", model: null }), [8, 7]);
  assert.deepEqual(ledger.ask("recentTokens", { agentId: "Explore", model: "ship-1" }), [7]);
  await appendEntries(ledger, ...Array.from({ length: 100 }, (_, number) => run(number + 1)));
  assert.deepEqual(ledger.ask("recentRuns", "main"), { runs: 50, median: 75.5, p75: 88 });
});

test("A golden task's run adds nothing to the tokens in its transcript", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const tokens = { input: 10, output: 1, cacheCreation: 0, cacheRead: 1000 };
  const golden = { kind: "run", agent: "main", taskHash: "t", completed: true, ...tokens } as const;
  await appendEntries(
    ledger,
    response(1),
    { ...golden, id: "bench:1", sessionId: "session-1", driver: "claude", outcome: "passed", round: 1 },
    { ...golden, id: "bench:2", sessionId: "replayed", driver: "replay", recordedBy: "script" },
  );
  const limits = { since: null, until: null, project: null, program: null };
  const basis = { catalogue: builtInCatalogue, dayOf: () => "2026-11-01" };
  const { totals } = ledger.ask("usage", { by: "session", ...limits }, basis);
  assert.deepEqual([totals.responses, totals.usage.input, totals.usage.output], [1, 10, 1]);
});

test("Automatic compactions of Claude Code's main chains are found, and those of other agents are not", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  assert.deepEqual(ledger.ask("claudeCompactions", null), []);
  const other = { ...compaction, sessionId: "other", id: "other" };
  await appendEntries(
    ledger,
    compaction,
    { ...compaction, id: "asked", trigger: "manual" },
    { ...compaction, id: "aside", isSidechain: true },
    { kind: "session", id: "other", program: "codex" },
    other,
  );
  const { model, longContext: long, preTokens, at } = compaction;
  assert.deepEqual(ledger.ask("claudeCompactions", null), [{ model, long, preTokens, at, answeredAt: null }]);
  const { sessionId } = compaction;
  const idle = { ...compaction, id: "idle", at: 60_000_000 };
  await appendEntries(
    ledger,
    idle,
    response(1, { sessionId, at: 1000 }),
    response(2, { sessionId, at: 60_000_001 }),
  );
  const answered = ledger.ask("claudeCompactions", null).map(({ answeredAt }) => answeredAt);
  assert.deepEqual(answered, [null, 1000], "the last response before it");
});

test("Any sequence of entries, repeated in any split, gives the same ledger", async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(5), fc.nat(3), fc.nat(30), fc.boolean()), { maxLength: 12 }),
      fc.nat(11),
      async (rows, split) => {
        const entries = rows.map(([message, session, output, isSidechain]) =>
          response(message, {
            sessionId: `session-${session}`,
            isSidechain,
            requestId: session === 0 ? null : `req_${session % 2}`,
            usage: { ...response(1).usage, output },
          }),
        );
        const once = await contentAfter([entries]);
        assert.deepEqual(await contentAfter([entries, entries]), once);
        assert.deepEqual(await contentAfter([entries.slice(0, split), entries.slice(split)]), once);
        assert.deepEqual(await contentAfter([entries.toReversed()]), once);
      },
    ),
    { numRuns: 15 },
  );

  async function contentAfter(appends: LedgerEntry[][]): Promise<unknown> {
    const folder = scratchFolder(t);
    const opened = await openLedger({ ...ledgerPorts(), folder });
    assert.ok(opened.ok);
    for (const entries of appends) await appendEntries(opened.value, ...entries);
    const sessions = opened.value.ask("sessions", {}).map(({ id }) => opened.value.ask("responses", id));
    await opened.value.close();
    return sessions
      .flat()
      .map((each) => JSON.stringify(each))
      .sort();
  }
});

async function tableSizes(ledger: Ledger): Promise<Map<string, unknown>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of ledger.export({ format: "sqlite", since: null })) chunks.push(chunk);
  const db = new engine.Database(Buffer.concat(chunks));
  const names = db.exec("SELECT name FROM sqlite_schema WHERE type = 'table'")[0]?.values.flat() ?? [];
  const sizes = names.map((name): [string, unknown] => [
    String(name),
    db.exec(`SELECT count(*) FROM "${String(name)}"`)[0]?.values[0]?.[0],
  ]);
  db.close();
  return new Map(sizes);
}
