import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import test from "node:test";
import * as z from "zod";
import type { ExportOptions } from "../../../src/engine/ledger/export-ledger.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { migrations } from "../../../src/engine/ledger/store/migrations.ts";
import { restoreLedger } from "../../../src/engine/ledger/store/restore.ts";
import { scratchFolder } from "../support/scratch.ts";
import { flipByte, ids, ledgerPorts, open, response, appendEntries } from "./support/support.ts";

async function exported(ledger: Ledger, options: ExportOptions): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of ledger.export(options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const exportJson = z.object({
  schema: z.literal(1),
  tables: z.record(z.string(), z.array(z.looseObject({}))),
});

test("JSON holds every table, more rows than a page, and old rows only on request", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, ...Array.from({ length: 1234 }, (_, number) => response(number)));
  const all = exportJson.parse(
    JSON.parse((await exported(ledger, { format: "json", since: null })).toString()),
  );
  assert.equal(all.tables["responses"]?.length, 1234);
  assert.deepEqual(
    all.tables["sessions"]?.map(({ id }) => id),
    ["session-1"],
  );
  const since = response(1000).at ?? null;
  const late = exportJson.parse(JSON.parse((await exported(ledger, { format: "json", since })).toString()));
  assert.equal(late.tables["responses"]?.length, 234);
});

test("CSV quotes values where needed, and no cell becomes a formula", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, {
    kind: "session",
    id: "s",
    title: `=cmd("a"), b`,
    branch: "-x",
    cwd: "/a\nb",
    lastAt: 5,
  });
  const csv = (await exported(ledger, { format: "csv", since: null, table: "sessions" })).toString();
  assert.deepEqual(csv.split("\r\n"), [
    "id,program,cwd,branch,title,first_at,last_at,parent_id,official_usd,counted_before,machine,version",
    `s,,"/a\nb",'-x,"'=cmd(""a""), b",,5,,,,,1`,
    "",
  ]);
});

test("No text in an export moves a terminal's cursor or reorders the text beside it", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const title = "a\u001b[31mred\u009b2J \u202egnp\u2066\u{e0041} end";
  await appendEntries(ledger, { kind: "session", id: "s", title, lastAt: 5 });
  const csv = (await exported(ledger, { format: "csv", since: null, table: "sessions" })).toString();
  assert.match(csv, /^s,,,,ared gnp end,,5,,,,,1\r$/mu);
  const json = (await exported(ledger, { format: "json", since: null })).toString();
  assert.doesNotMatch(json, /(?!\n)[\p{Cc}\p{Cf}]/u);
  assert.equal(exportJson.parse(JSON.parse(json)).tables["sessions"]?.[0]?.["title"], title);
});

test("An SQLite export since a time holds the newer rows and their sessions", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(ledger, response(1, { sessionId: "old" }), response(50, { sessionId: "new" }));
  await appendEntries(ledger, {
    kind: "question",
    id: "q",
    agent: "main",
    sessionId: null,
    body: "?",
    status: "open",
    at: 1,
  });
  const file = path.join(folder, "export.sqlite");
  writeFileSync(file, await exported(ledger, { format: "sqlite", since: response(50).at ?? null }));
  const stock = new DatabaseSync(file, { readOnly: true });
  t.after(() => stock.close());
  assert.deepEqual({ ...stock.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" });
  assert.deepEqual(
    stock
      .prepare("SELECT id FROM sessions")
      .all()
      .map((row) => row["id"]),
    ["new"],
  );
  assert.deepEqual(ids(ledger, "old"), ["msg_1"]);
});

test("A backup can be restored; the replaced ledger is moved, not removed", async (t) => {
  const folder = scratchFolder(t);
  const backup = path.join(folder, "backup.sqlite");
  const ledger = await open(t, folder);
  await appendEntries(ledger, response(1));
  await ledger.snapshot();
  assert.ok((await ledger.backup(backup)).ok);
  const again = await ledger.backup(backup);
  assert.equal(again.ok || again.reason, "exists");
  await appendEntries(ledger, response(2));
  const held = await restoreLedger({ folder, backup }, ledgerPorts());
  assert.equal(held.ok || held.reason, "locked");
  await ledger.close();

  const restored = await restoreLedger({ folder, backup }, ledgerPorts());
  assert.ok(restored.ok);
  assert.deepEqual(readdirSync(restored.value.replaced).sort(), [
    "journal",
    "ledger.sqlite",
    "ledger.work.sqlite",
    "ledger.work.sums",
  ]);
  const after = await open(t, folder);
  assert.deepEqual(ids(after), ["msg_1"]);
  await appendEntries(after, response(3));
  await after.snapshot();
  await after.close();
  const reopened = await open(t, folder);
  assert.deepEqual([ids(reopened), reopened.report.reread], [["msg_1", "msg_3"], false]);
  const replaced = await open(t, restored.value.replaced);
  assert.deepEqual(ids(replaced), ["msg_1", "msg_2"]);
});

test("A file that is not a whole ledger of a known version is not restored", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(ledger, response(1));
  const [good, damaged, other] = ["good", "damaged", "other"].map((name) => path.join(folder, name));
  for (const file of [good, damaged]) assert.ok((await ledger.backup(file ?? "")).ok);
  await ledger.close();
  flipByte(damaged ?? "", 4096);
  writeFileSync(other ?? "", "SQLite format 3\0 and nothing more");
  const newer = await open(t, path.join(folder, "newer"), {
    steps: [...migrations, "CREATE TABLE moods (x)"],
  });
  assert.ok((await newer.backup(path.join(folder, "late"))).ok);
  for (const [name, reason] of [
    ["damaged", "not_a_ledger"],
    ["other", "not_a_ledger"],
    ["late", "newer_version"],
    ["nowhere", "unreadable"],
  ] as const) {
    const refused = await restoreLedger({ folder, backup: path.join(folder, name) }, ledgerPorts());
    assert.equal(refused.ok || refused.reason, reason);
  }
  assert.deepEqual(ids(await open(t, folder)), ["msg_1"]);
  assert.ok(readFileSync(good ?? "").length > 0);
});
