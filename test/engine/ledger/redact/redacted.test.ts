import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Database } from "../../../../src/engine/ledger/store/database.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { redactText, redactValue } from "../../../../src/engine/ledger/redact/texts.ts";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { restoreLedger } from "../../../../src/engine/ledger/store/restore.ts";
import { workingPaths } from "../../../../src/engine/ledger/pages/working-file.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, diesAfter, engine, ledgerPorts, open, response } from "../support/support.ts";

// Assembled here, so that no scanner takes this file for a leak.
const secrets = ["ghp", "_", "a1B2".repeat(9)].join("");
const password = "hunter2xyz";
const planted = [secrets, password];

function entriesWithSecrets(number: number): LedgerEntry[] {
  const sessionId = `s-${number}`;
  return [
    {
      kind: "session",
      id: sessionId,
      program: "claude-code",
      cwd: "/p",
      branch: `fix/${secrets}`,
      firstAt: number,
      lastAt: number,
      title: `Fix ${secrets} number ${number}`,
    },
    response(number, { sessionId, branch: `fix/${secrets}` }),
    { kind: "subagent", sessionId, agentId: "a", description: `sshpass -p ${password} ssh db` },
    {
      kind: "resume-packet",
      sessionId,
      occasion: "end",
      at: number,
      turn: 1,
      branch: `fix/${secrets}`,
      packet: JSON.stringify({ title: `use ${secrets}`, branch: `fix/${secrets}`, kept: ["as it was"] }),
    },
    {
      kind: "position",
      path: `/t-${number}`,
      identity: "1:2",
      offset: 1,
      size: 1,
      state: JSON.stringify({ title: secrets }),
    },
  ];
}

/** A folder as the previous version left it: a snapshot, a working file with free pages, a journal, and copies. */
async function writtenBefore(t: test.TestContext): Promise<string> {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(ledger, ...entriesWithSecrets(1));
  await ledger.snapshot();
  await appendEntries(ledger, ...entriesWithSecrets(2));
  await ledger.close();
  const file = path.join(folder, "ledger.sqlite");
  const db = new Database(engine, readFileSync(file));
  db.execute("ALTER TABLE sessions DROP COLUMN counted_before; PRAGMA user_version = 22");
  writeFileSync(file, db.bytes());
  db.close();
  rmSync(path.join(folder, "ledger.sums.json"));
  for (const each of Object.values(workingPaths(folder))) rmSync(each, { force: true });
  return folder;
}

test("Secrets that an earlier version stored are removed from every file of the ledger", async (t) => {
  const folder = await writtenBefore(t);
  const old = readFileSync(path.join(folder, "ledger.sqlite"));
  writeFileSync(path.join(folder, "ledger.schema-19.sqlite"), old);
  // Damaged: its beginning is missing.
  const rest = Buffer.from(old.subarray(100).toString("latin1").replaceAll(password, "nothing123"), "latin1");
  writeFileSync(path.join(folder, "ledger.damaged-1.sqlite"), rest);
  mkdirSync(path.join(folder, "handovers"));
  writeFileSync(path.join(folder, "handovers", "h.md"), `# Goal\n\nUse ${secrets} as before.\n`);
  mkdirSync(path.join(folder, "sessions"));
  writeFileSync(path.join(folder, "sessions", "s.json"), JSON.stringify({ title: secrets, turns: 3 }));
  assert.ok(filesWith(folder).length >= 6, "the old files hold them");

  const ledger = await open(t, folder);
  assert.deepEqual([ledger.report.migratedFrom, ledger.report.reread], [22, true]);
  const titles = ledger.ask("sessions", { limit: 10 }).map(({ title }) => title);
  assert.deepEqual(titles.toSorted(), ["Fix [secret] number 1", "Fix [secret] number 2"]);
  assert.deepEqual(filesWith(folder), []);
  await ledger.close();
  assert.deepEqual(filesWith(folder), []);

  assert.equal(
    readFileSync(path.join(folder, "handovers", "h.md"), "utf8"),
    "# Goal\n\nUse [secret] as before.\n",
  );
  const state: unknown = JSON.parse(readFileSync(path.join(folder, "sessions", "s.json"), "utf8"));
  assert.deepEqual(state, { title: "[secret]", turns: 3 });
  // The copies can still be restored.
  for (const copy of ["ledger.schema-19.sqlite", "ledger.schema-22.sqlite"]) {
    const place = scratchFolder(t);
    const restored = await restoreLedger({ folder: place, backup: path.join(folder, copy) }, ledgerPorts());
    assert.ok(restored.ok, copy);
    const found = await open(t, place);
    assert.equal(found.ask("sessions", { limit: 10 })[0]?.title, "Fix [secret] number 1");
  }
  // Everything is done once.
  const again = await open(t, folder);
  assert.deepEqual([again.report.migratedFrom, again.report.reread], [null, false]);
});

test("A replaced ledger is redacted with its journal, and can be restored", async (t) => {
  const folder = await writtenBefore(t);
  const backup = path.join(scratchFolder(t), "backup.sqlite");
  writeFileSync(backup, readFileSync(path.join(folder, "ledger.sqlite")));
  const restored = await restoreLedger({ folder, backup }, ledgerPorts());
  assert.ok(restored.ok);
  assert.ok(filesWith(restored.value.replaced).length >= 2);
  await (await open(t, folder)).close();
  assert.deepEqual(filesWith(folder), []);
  const place = scratchFolder(t);
  for (const name of readdirSync(restored.value.replaced)) {
    const from = path.join(restored.value.replaced, name);
    if (statSync(from).isFile()) writeFileSync(path.join(place, name), readFileSync(from));
    else {
      mkdirSync(path.join(place, name));
      for (const each of readdirSync(from))
        writeFileSync(path.join(place, name, each), readFileSync(path.join(from, each)));
    }
  }
  const replaced = await open(t, place);
  assert.deepEqual([replaced.report.journal.lost, replaced.report.journal.damagedLines], [0, 0]);
  assert.equal(replaced.ask("sessions", { limit: 10 }).length, 2);
});

test("After a kill at any step, nothing is lost, and the next start removes the secrets", async (t) => {
  for (let steps = 0; steps < 60; steps += 2) {
    const folder = await writtenBefore(t);
    const files = diesAfter(steps);
    files.arm();
    const dying = await openLedger({
      ...ledgerPorts({ pid: process.pid + 1 }),
      folder,
      files: files.port,
    }).catch(() => undefined);
    const after = await open(t, folder);
    assert.equal(after.ask("sessions", { limit: 10 }).length, 2, `after ${steps} steps`);
    assert.deepEqual([after.report.setAside, after.report.journal.lost], [[], 0], `after ${steps} steps`);
    await after.close();
    assert.deepEqual(filesWith(folder), [], `after ${steps} steps`);
    if (dying?.ok === true) await dying.value.close().catch(() => undefined);
  }
});

test("Ids and paths stay unchanged, even in JSON within JSON, though some look like keys", () => {
  const id = `chatcmpl-tool-${"0f1e2d3c4b5a6978".repeat(2)}`;
  assert.equal(redactText(`use ${id}`), "use [secret]");
  const held = {
    id,
    sessionId: id,
    parentId: id,
    toSession: id,
    evidence: JSON.stringify([{ session: id, turns: [1] }]),
    cwd: `/p/${id}`,
    state: JSON.stringify({ runs: { run: { id } }, session: { parentId: id } }),
    ids: JSON.stringify([id]),
  };
  assert.equal(redactValue(held), held);
  assert.equal(redactText(JSON.stringify(held)), JSON.stringify(held));
  const state = JSON.stringify({ session: { title: secrets, parentId: id } });
  assert.deepEqual(redactValue({ ...held, state }), {
    ...held,
    state: JSON.stringify({ session: { title: "[secret]", parentId: id } }),
  });
});

/** The files below a folder that hold a planted secret. */
function filesWith(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .filter((name) => {
      const bytes = readFileSync(path.join(folder, name));
      return planted.some((secret) => bytes.includes(secret));
    });
}
