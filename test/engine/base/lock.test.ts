import path from "node:path";
import fc from "fast-check";
import { assert } from "../support/assert-texts.ts";
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { nodeFiles, type FilePort } from "../../../src/engine/base/disk/file-port.ts";
import { freeLock, takeLock, type HeldLock, type LockPorts, ownerOf } from "../../../src/engine/base/lock.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { MemoryDisk, seededRandom, seededTurns, systemError } from "../budgets/support/memory-files.ts";
import { fakeMachine } from "../support/pretended-machine.ts";
import { scratchFolder } from "../support/scratch.ts";
import { waitUntil } from "../support/wait-until.ts";

let words = 0;

function portsOf(over: Partial<LockPorts> = {}): LockPorts {
  const unique = () => String((words += 1));
  return { files: nodeFiles, unique, pid: process.pid, machine: thisMachine(), ...over };
}

function placeIn(t: TestContext) {
  return { folder: scratchFolder(t), name: "service" };
}

/** Takes the lock, or returns null where another process has it. Releases it after the test. */
async function taken(
  t: TestContext,
  paths: Parameters<typeof takeLock>[0],
  over: Partial<LockPorts> = {},
): Promise<HeldLock | null> {
  const lock = await takeLock(paths, portsOf(over));
  if (!lock.ok) return null;
  t.after(() => lock.value.release());
  return lock.value;
}

function silent(file: string, seconds: number): void {
  const long = Date.now() / 1000 - seconds;
  utimesSync(file, long, long);
}

describe("a lock", () => {
  it("belongs to one process until its release, and names the holder", async (t) => {
    const place = placeIn(t);
    const first = await taken(t, place);
    const second = await takeLock(place, portsOf());
    assert.deepEqual(second, {
      ok: false,
      reason: "locked",
      detail: `${path.join(place.folder, "service.1.lock")} is held by process ${process.pid} on ${thisMachine().id.host}`,
    });
    await first?.release();
    assert.ok(await taken(t, place));
    assert.deepEqual(readdirSync(place.folder), ["service.2.lock"]);
  });

  it("is a different lock beside another one under another name", async (t) => {
    const place = placeIn(t);
    assert.ok(await taken(t, place));
    assert.ok(await taken(t, { ...place, name: "start" }));
  });

  it("is taken from a dead holder, which notices that if it is alive after all", async (t) => {
    const place = placeIn(t);
    const dead = await taken(t, place, { machine: { ...thisMachine(), startOf: () => "1" } });
    assert.ok(await dead?.beat());
    const next = await taken(t, place);
    assert.equal(await dead?.beat(), false);
    assert.equal(await dead?.isHeld(), false);
    await dead?.release();
    assert.equal(await next?.beat(), true);
  });

  for (const [name, owner] of [
    ["another machine's", { machine: fakeMachine(() => true, "there") }],
    ["a thread's of this process", {}],
  ] as const)
    it(`that is ${name} is taken over after a silence only`, async (t) => {
      const place = placeIn(t);
      await taken(t, place, owner);
      assert.equal(await taken(t, place), null);
      silent(path.join(place.folder, "service.1.lock"), 70);
      assert.ok(await taken(t, place));
    });

  it("is free once the writer of an empty file must be dead", async (t) => {
    const place = placeIn(t);
    const file = path.join(place.folder, "service.7.lock");
    writeFileSync(file, "");
    assert.ok(await taken(t, place));
    assert.deepEqual(readdirSync(place.folder), ["service.8.lock"]);
  });

  it("waits for a holder that has not written yet, and is held then", async (t) => {
    const place = placeIn(t);
    const file = path.join(place.folder, "service.7.lock");
    writeFileSync(file, "");
    const asked = taken(t, place);
    writeFileSync(file, JSON.stringify(ownerOf(process.ppid, thisMachine())));
    assert.equal(await asked, null);
    assert.deepEqual(readdirSync(place.folder), ["service.7.lock"]);
  });

  it("is lost for a writer so slow that another took it", async (t) => {
    const place = placeIn(t);
    let isCreated = false;
    let isTakenOver = false;
    const create: FilePort["create"] = async (file) => {
      const handle = await nodeFiles.create(file);
      isCreated = true;
      if (file.endsWith(".lock")) await waitUntil(() => isTakenOver);
      return handle;
    };
    const slow = taken(t, place, { files: { ...nodeFiles, create } });
    await waitUntil(() => isCreated);
    const next = await taken(t, place);
    assert.ok(next);
    isTakenOver = true;
    assert.equal(await slow, null);
    assert.equal(await next.beat(), true);
  });

  it("is held if one of its files cannot be read", async (t) => {
    const place = placeIn(t);
    await taken(t, place);
    const files: FilePort = { ...nodeFiles, read: () => Promise.reject(systemError("EACCES")) };
    assert.equal(await taken(t, place, { files }), null);
  });

  it("is lost with its folder", async (t) => {
    const place = placeIn(t);
    const lock = await taken(t, place);
    rmSync(place.folder, { recursive: true });
    assert.equal(await lock?.beat(), false);
    await lock?.release();
    assert.equal(existsSync(place.folder), false);
    mkdirSync(place.folder);
  });

  it("stays held while the disk does not answer", async (t) => {
    let isSick = false;
    const list: FilePort["list"] = (folder) =>
      isSick ? Promise.reject(systemError("EIO")) : nodeFiles.list(folder);
    const lock = await taken(t, placeIn(t), { files: { ...nodeFiles, list } });
    isSick = true;
    assert.equal(await lock?.beat(), true);
    isSick = false;
  });

  it("is released by its host after a thread of this process died, and nobody else's is", async (t) => {
    const place = placeIn(t);
    await taken(t, place, { machine: fakeMachine(() => true) });
    await freeLock(place, portsOf());
    assert.equal(await taken(t, place, { machine: fakeMachine(() => true), pid: 7 }), null);
    await freeLock(place, portsOf({ machine: fakeMachine(() => true) }));
    assert.ok(await taken(t, place, { machine: fakeMachine(() => true), pid: 7 }));
  });

  it(
    "is never held by two threads at once, even when holders die all the time",
    { timeout: 60_000 },
    async (t) => {
      const { folder } = placeIn(t);
      const program = new URL("./support/contender.ts", import.meta.url);
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
    },
  );

  it("is never held by two processes at once, in any order of steps and with kills at any point", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const random = seededRandom(seed);
        const disk = new MemoryDisk(seededTurns(random));
        const dead = new Set<number>();
        let owner: number | null = null;
        let isOver = false;
        const machine = fakeMachine((pid) => !dead.has(pid));
        const contend = async (pid: number) => {
          const mayAct = () => {
            // A killed process does nothing more, while its lock object here would keep refreshing.
            if (isOver) throw systemError("ENOENT");
            if (!dead.has(pid) && random() < 0.02) dead.add(pid);
            if (dead.has(pid)) throw new Killed();
          };
          const files = disk.port(mayAct);
          const ports = portsOf({ files, pid, machine });
          for (let turn = 0; turn < 6; turn += 1) {
            const lock = await takeLock({ folder: "/", name: "ledger" }, ports);
            if (!lock.ok) continue;
            assert.ok(owner === null || dead.has(owner), `${pid} has the lock of ${owner}`);
            owner = pid;
            assert.ok(await lock.value.beat());
            owner = null;
            await lock.value.release();
          }
        };
        const outcomes = await Promise.allSettled([1, 2, 3, 4].map((pid) => contend(pid)));
        isOver = true;
        for (const outcome of outcomes)
          if (outcome.status === "rejected" && !(outcome.reason instanceof Killed)) throw outcome.reason;
      }),
      { numRuns: 150 },
    );
  });
});

class Killed extends Error {}

describe("a lock of an older version", () => {
  const older = (t: TestContext, content: string) => {
    const place = { ...placeIn(t), older: "ledger.lock" };
    const file = path.join(place.folder, place.older);
    writeFileSync(file, content);
    return { place, file };
  };
  const { host } = thisMachine().id;

  it("stays held as long as its process lives", async (t) => {
    const { place, file } = older(t, JSON.stringify({ pid: process.pid, host, token: "x" }));
    const lock = await takeLock(place, portsOf());
    assert.equal(lock.ok || lock.detail, `${file} is held by an older version of purser`);
    rmSync(file);
    assert.ok(await taken(t, place));
  });

  it("counts for nothing once its process is dead", async (t) => {
    const { place } = older(t, JSON.stringify({ pid: 7, host: "here", token: "x" }));
    assert.ok(await taken(t, place, { machine: fakeMachine((pid) => pid !== 7) }));
  });

  for (const [name, content] of [
    ["another machine's", JSON.stringify({ pid: 1, host: "there", token: "x" })],
    ["a reused pid's", JSON.stringify({ pid: process.pid, host, token: "x" })],
    ["unreadable", "{"],
    ["strange", JSON.stringify(["pid"])],
  ] as const)
    it(`counts for nothing after a minute of silence, if it is ${name}`, async (t) => {
      const { place, file } = older(t, content);
      assert.equal(await taken(t, place), null);
      silent(file, 61);
      assert.ok(await taken(t, place));
    });
});
