import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { takeLock, type LockPorts } from "../../../src/engine/service/generation-lock.ts";
import { scratchFolder } from "../support/scratch.ts";
import { machine } from "./support/box.ts";

function portsIn(t: TestContext): LockPorts {
  return {
    folder: scratchFolder(t),
    name: "service",
    pid: process.pid,
    machine,
    clock: { now: () => Date.now() },
  };
}

function files({ folder }: LockPorts): string[] {
  return readdirSync(folder).toSorted();
}

describe("a lock", () => {
  it("is one's until it is let go, and says whose", (t) => {
    const ports = portsIn(t);
    const first = takeLock(ports);
    assert.ok(first.ok);
    const second = takeLock(ports);
    assert.ok(!second.ok);
    assert.equal(second.detail, `process ${process.pid} on ${machine.id.host} has it`);
    first.value.release();
    assert.ok(takeLock(ports).ok);
    assert.deepEqual(files(ports), ["service.2.lock"]);
  });

  it("is another's beside it under another name", (t) => {
    const ports = portsIn(t);
    assert.ok(takeLock(ports).ok);
    assert.ok(takeLock({ ...ports, name: "start" }).ok);
  });

  it("is taken from who died, and that one knows it should it live after all", (t) => {
    const ports = portsIn(t);
    const dead = takeLock({ ...ports, machine: { ...machine, startOf: () => "1" } });
    assert.ok(dead.ok && dead.value.beat());
    const next = takeLock(ports);
    assert.ok(next.ok);
    assert.equal(dead.value.beat(), false);
    dead.value.release();
    assert.equal(next.value.beat(), true);
  });

  it("of which nothing is written yet is held, for a while", (t) => {
    const ports = portsIn(t);
    writeFileSync(path.join(ports.folder, "service.7.lock"), "");
    assert.equal(takeLock(ports).ok, false);
    const later = { ...ports, clock: { now: () => Date.now() + 6000 } };
    assert.ok(takeLock(later).ok);
    assert.deepEqual(files(ports), ["service.8.lock"]);
  });

  it("is lost with its folder", (t) => {
    const ports = portsIn(t);
    const lock = takeLock(ports);
    assert.ok(lock.ok);
    rmSync(ports.folder, { recursive: true });
    assert.equal(lock.value.beat(), false);
    lock.value.release();
    mkdirSync(ports.folder);
  });

  it("is never two threads' at once, also when holders die all the time", { timeout: 20_000 }, async (t) => {
    const { folder } = portsIn(t);
    const program = new URL("support/contender.ts", import.meta.url);
    const contenders = Array.from(
      { length: 4 },
      (_, index) => new Worker(program, { workerData: { folder, index, turns: 60 } }),
    );
    const outcomes = await Promise.all(
      contenders.map(
        (worker) =>
          new Promise((resolve, reject) => {
            worker.once("message", resolve);
            worker.once("error", reject);
          }),
      ),
    );
    assert.deepEqual(outcomes, [60, 60, 60, 60]);
  });
});
