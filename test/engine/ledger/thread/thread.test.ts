import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { openLedgerThread, type LedgerThread } from "../../../../src/engine/ledger/ledger-thread.ts";
import { migrations } from "../../../../src/engine/ledger/store/migrations.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, response, wasmPath } from "../support/support.ts";

const worker = new URL("../../../../src/engine/ledger/thread/ledger-worker.ts", import.meta.url);

async function openThread(folder: string): Promise<LedgerThread> {
  const opened = await openLedgerThread({ folder, wasmPath, models: {} }, worker);
  assert.ok(opened.ok);
  return opened.value;
}

test("A ledger in a thread answers and writes like one in memory", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await openThread(folder);
  const received: number[] = [];
  ledger.onAppend((last) => received.push(last));
  const appended = await ledger.append(Array.from({ length: 1000 }, (_, number) => response(number)));
  assert.deepEqual(appended, { ok: true, value: { last: 1000 } });
  assert.deepEqual(received, [1000]);
  const { totals } = await ledger.ask("usage", { by: "day", since: null, until: null });
  assert.equal(totals.responses, 1000);
  assert.equal((await ledger.ask("sessions", {}))[0]?.responses, 1000);
  assert.equal((await ledger.ask("responses", "session-1")).length, 1000);
  const spent = (await ledger.ask("takeSpent", 0))[0]?.spent.map(({ tokens }) => tokens) ?? [];
  assert.equal(
    spent.reduce((sum, tokens) => sum + tokens, 0),
    1000 * 10 + 499_500,
  );
  assert.ok((await ledger.snapshot()).ok);
  assert.ok((await ledger.compact()).ok);
  assert.deepEqual(await ledger.check(), []);
  assert.ok((await ledger.backup(path.join(folder, "backup"))).ok);
  await ledger.configure({ "claude-opus-4-5": { input: 0, output: 0, cacheRead: 0 } });
  assert.equal((await ledger.ask("usage", { by: "day", since: null, until: null })).totals.usd, 0);
  let bytes = 0;
  for await (const chunk of ledger.export({ format: "json", since: null })) bytes += chunk.length;
  assert.ok(bytes > 100_000);
  for await (const chunk of ledger.export({ format: "json", since: null })) {
    assert.ok(chunk.length > 0);
    break;
  }
  await ledger.close();
  await assert.rejects(ledger.ask("sessions", {}), /thread has ended/u);
  assert.equal((await open(t, folder)).ask("responses", "session-1").length, 1000);
});

test("A ledger that cannot be opened is reported by its name, and the thread ends", async (t) => {
  const folder = scratchFolder(t);
  const newer = await open(t, folder, { steps: [...migrations, "ALTER TABLE positions RENAME TO places"] });
  await newer.compact();
  await newer.close();
  const opened = await openLedgerThread({ folder, wasmPath, models: {} }, worker);
  assert.equal(opened.ok || opened.reason, "newer_version");
});

test("A restarted thread knows its snapshot, without new entries", async (t) => {
  const folder = scratchFolder(t);
  const before = await openThread(folder);
  await before.append([response(1)]);
  const made = await before.snapshot();
  await before.close();
  const ledger = await openThread(folder);
  t.after(() => ledger.close());
  const snapshot = await ledger.snapshot();
  assert.ok(made.ok && snapshot.ok);
  assert.deepEqual(snapshot.value, { ...made.value, blockedMs: snapshot.value.blockedMs });
});
