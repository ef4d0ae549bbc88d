import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { fail } from "../../../../src/engine/base/result.ts";
import {
  startCollecting,
  type CollectOptions,
} from "../../../../src/engine/ledger/collect/collect-thread.ts";
import { openLedgerThread, type LedgerThread } from "../../../../src/engine/ledger/ledger-thread.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { wasmPath } from "../support.ts";
import { homesIn, responseLines } from "./support.ts";

const workerOf = (name: string) => new URL(`../../../../src/engine/ledger/${name}.ts`, import.meta.url);

async function openThread(t: TestContext): Promise<LedgerThread> {
  const opened = await openLedgerThread(
    { folder: scratchFolder(t), wasmPath, models: {} },
    workerOf("ledger-worker"),
  );
  assert.ok(opened.ok);
  t.after(() => opened.value.close());
  return opened.value;
}

function start(t: TestContext, folder: string, ledger: CollectOptions["ledger"]) {
  const problems: string[] = [];
  const collecting = startCollecting({
    ...homesIn(folder),
    ledger,
    workerPath: workerOf("collect/collect-worker"),
    onProblem: (problem) => problems.push(problem),
  });
  t.after(() => collecting.stop());
  return { collecting, problems };
}

async function responses(ledger: LedgerThread): Promise<number> {
  const { totals } = await ledger.usage({ by: "day", since: null, until: null });
  return totals.responses;
}

test("Everything there is comes into the ledger, and what is written later within a second", async (t) => {
  const folder = scratchFolder(t);
  const projects = path.join(folder, "claude", "projects");
  const file = path.join(projects, "-work-project", "session-1.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, responseLines(0, 1500));
  const ledger = await openThread(t);
  const { collecting, problems } = start(t, folder, ledger);
  const told: (number | null)[] = [];
  collecting.onFreshness(({ asOf }) => told.push(asOf));
  assert.equal(collecting.freshness.asOf, null);
  const { asOf, files, done, problems: unread } = await collecting.catchUp();
  assert.ok(asOf !== null && Math.abs(asOf - Date.now()) < 60_000);
  assert.deepEqual([files, done, unread, collecting.freshness.asOf], [0, 0, [], asOf]);
  assert.equal(told.at(-1), asOf);
  assert.equal(await responses(ledger), 1500);

  let appended = 0;
  ledger.onAppend(() => (appended += 1));
  const within = async (change: () => void) => {
    appended = 0;
    const began = performance.now();
    change();
    await waitUntil(() => appended > 0);
    return performance.now() - began;
  };
  const grown = await within(() => appendFileSync(file, responseLines(1500, 1501)));
  const made = await within(() => {
    const other = path.join(projects, "-work-other");
    mkdirSync(other);
    writeFileSync(path.join(folder, "other.jsonl"), responseLines(1501, 1502));
    renameSync(path.join(folder, "other.jsonl"), path.join(other, "session-2.jsonl"));
  });
  // A second is the promise; more would be a busy machine's, and the next look over all files finds it in thirty.
  t.diagnostic(
    `a file that grew was collected after ${grown.toFixed()} ms, a new one after ${made.toFixed()} ms`,
  );
  assert.equal(await responses(ledger), 1502);
  rmSync(projects, { recursive: true });
  await collecting.catchUp();
  assert.equal(await responses(ledger), 1502);
  assert.deepEqual(problems, []);
});

test("Who waits for it to catch up hears when it cannot, and can stop waiting", async (t) => {
  const folder = scratchFolder(t);
  const file = path.join(folder, "claude", "projects", "-work-project", "session-1.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, responseLines(0, 10));
  const { collecting, problems } = start(t, folder, {
    positions: () => Promise.resolve(new Map()),
    append: () => Promise.resolve(fail("disk_full", "the journal: ENOSPC")),
  });
  const { asOf, problems: told } = await collecting.catchUp();
  assert.deepEqual([asOf, told.map(({ path: place }) => place)], [null, ["ledger"]]);
  assert.ok(problems.length > 0);
  const controller = new AbortController();
  const waiting = collecting.catchUp(controller.signal);
  controller.abort(new Error("no more"));
  await assert.rejects(waiting, /no more/u);
  const left = collecting.catchUp();
  const stopped = collecting.stop();
  await assert.rejects(left, /was stopped/u);
  await stopped;
  await assert.rejects(collecting.catchUp(), /was stopped/u);
});

test("A thread that dies again and again is given up, and that is told", async (t) => {
  const worker = path.join(scratchFolder(t), "dying.mjs");
  writeFileSync(worker, `throw new Error("there is nothing to live for");`);
  const problems: string[] = [];
  const collecting = startCollecting({
    env: {},
    home: "/",
    ledger: {
      positions: () => Promise.resolve(new Map()),
      append: () => Promise.reject(new Error("nobody asks")),
    },
    workerPath: worker,
    onProblem: (problem) => problems.push(problem),
  });
  await assert.rejects(collecting.catchUp(), /nothing to live for/u);
  assert.equal(problems.length, 3);
  await collecting.stop();
});
