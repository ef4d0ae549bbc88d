import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { openLedgerThread, type LedgerThread } from "../../../../src/engine/ledger/ledger-thread.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { wasmPath } from "../support/support.ts";
import { homesIn, responseLines } from "./support.ts";

const worker = new URL("../../../../src/engine/ledger/thread/ledger-worker.ts", import.meta.url);
async function openThread(t: TestContext): Promise<LedgerThread> {
  const opened = await openLedgerThread({ folder: scratchFolder(t), wasmPath, models: {} }, worker);
  assert.ok(opened.ok);
  t.after(() => opened.value.close());
  return opened.value;
}

function start(t: TestContext, folder: string, ledger: LedgerThread) {
  const problems: string[] = [];
  const collecting = ledger.collect(homesIn(folder), (problem) => problems.push(problem));
  t.after(() => collecting.dispose());
  return { collecting, problems };
}

async function responses(ledger: LedgerThread): Promise<number> {
  const { totals } = await ledger.ask("usage", { by: "day", since: null, until: null });
  return totals.responses;
}

test("Everything present comes into the ledger, and later rows too", async (t) => {
  const folder = scratchFolder(t);
  const projects = path.join(folder, "claude", "projects");
  const file = path.join(projects, "-work-project", "session-1.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, responseLines(0, 1500));
  const ledger = await openThread(t);
  const before = Date.now();
  const { collecting, problems } = start(t, folder, ledger);
  const reported: (number | null)[] = [];
  collecting.onFreshness(({ asOf }) => reported.push(asOf));
  assert.equal(collecting.freshness.asOf, null);
  const { asOf, files, done, problems: unread } = await collecting.catchUp();
  assert.ok(asOf !== null && asOf >= before && asOf <= Date.now());
  assert.deepEqual([files, done, unread, collecting.freshness.asOf], [0, 0, [], asOf]);
  assert.equal(reported.at(-1), asOf);
  assert.equal(await responses(ledger), 1500);

  let appended = 0;
  ledger.onAppend(() => (appended += 1));
  const collected = async (change: () => void) => {
    appended = 0;
    change();
    await waitUntil(() => appended > 0);
  };
  await collected(() => appendFileSync(file, responseLines(1500, 1501)));
  await collected(() => {
    const other = path.join(projects, "-work-other");
    mkdirSync(other);
    writeFileSync(path.join(folder, "other.jsonl"), responseLines(1501, 1502));
    renameSync(path.join(folder, "other.jsonl"), path.join(other, "session-2.jsonl"));
  });
  assert.equal(await responses(ledger), 1502);
  rmSync(projects, { recursive: true });
  await collecting.catchUp();
  assert.equal(await responses(ledger), 1502);
  assert.deepEqual(problems, []);
});

test("A caller that waits for the catch-up is notified at its end, and can stop waiting", async (t) => {
  const folder = scratchFolder(t);
  const file = path.join(folder, "claude", "projects", "-work-project", "session-1.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, responseLines(0, 10));
  const { collecting, problems } = start(t, folder, await openThread(t));
  const controller = new AbortController();
  const waiting = collecting.catchUp(controller.signal);
  controller.abort(new Error("no more"));
  await assert.rejects(waiting, /no more/u);
  await assert.rejects(collecting.catchUp(controller.signal), /no more/u);
  const left = collecting.catchUp();
  const stopped = collecting.stop();
  await assert.rejects(left, /was stopped/u);
  await stopped;
  await assert.rejects(collecting.catchUp(), /was stopped/u);
  assert.deepEqual(problems, []);
});

test("A caller that waits for the catch-up is notified when its thread dies", async (t) => {
  const folder = scratchFolder(t);
  const opened = await openLedgerThread({ folder: scratchFolder(t), wasmPath, models: {} }, worker);
  assert.ok(opened.ok);
  const { collecting } = start(t, folder, opened.value);
  await collecting.catchUp();
  await opened.value.close();
  await assert.rejects(collecting.catchUp(), /thread has ended/u);
});
