import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openEndpoint, isToken, newToken } from "../../../src/engine/protocol/endpoint.ts";
import { ownerOf, stateOf, type LockOwner, type OwnerState } from "../../../src/engine/base/lock.ts";
import { readIdleTime } from "../../../src/engine/service/run-service.ts";
import { LatestSender } from "../../../src/engine/protocol/serve.ts";
import type { Machine } from "../../../src/engine/base/process/machine.ts";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { FileLog } from "../../../src/engine/base/log.ts";
import { touchRecord, writeRecord } from "../../../src/engine/service/service-record.ts";
import { RefCounted } from "../../../src/engine/base/events.ts";
import { compareVersions } from "../../../src/engine/base/text/version-order.ts";
import { scratchFolder } from "../support/scratch.ts";
import { machine } from "./support/box.ts";

describe("the holder of a lock", () => {
  const here: Machine = {
    id: { host: "argo", boot: "b1", processes: "p1" },
    isAlive: (pid) => pid !== 404,
    startOf: (pid) => (pid === 500 ? null : "100"),
  };
  const cases: [string, Partial<LockOwner>, number, OwnerState][] = [
    ["is alive when its process is", {}, 0, "alive"],
    ["is alive however long it was silent, when its process tells", {}, 1e9, "alive"],
    ["is gone when its process is", { pid: 404 }, 0, "gone"],
    ["is gone when its id is another's now", { startTime: "99" }, 0, "gone"],
    ["is alive when nobody tells since when, and it was heard of", { pid: 500 }, 1000, "alive"],
    ["is gone when nobody tells since when, and it is silent", { pid: 500 }, 60_000, "gone"],
    ["is gone when its machine began anew", { machine: { ...here.id, boot: "b0" } }, 0, "gone"],
    ["is elsewhere in another container", { machine: { ...here.id, processes: "p2" } }, 0, "elsewhere"],
    ["is elsewhere on another machine", { machine: { ...here.id, host: "x" } }, 0, "elsewhere"],
    ["is gone elsewhere when it is silent", { machine: { ...here.id, host: "x" } }, 60_000, "gone"],
  ];
  for (const [name, owner, silence, expected] of cases)
    it(name, () => {
      const own = { pid: 1, startTime: "100", machine: here.id };
      assert.equal(stateOf({ ...own, ...owner }, here, silence), expected);
    });

  it("is recognized on this machine: this process is alive, with its own start time", () => {
    const own = ownerOf(process.pid, machine);
    assert.equal(stateOf(own, machine, 0), "alive");
    if (process.platform !== "win32") assert.ok(own.startTime !== null);
    assert.equal(machine.startOf(2 ** 30), null);
  });
});

describe("small parts of the service", () => {
  it("a service with a missing, damaged or foreign record is not found, and notices it", (t) => {
    const home = purserPaths({ env: {}, home: scratchFolder(t) });
    mkdirSync(home.folder, { mode: 0o700 });
    assert.equal(touchRecord(home, "mine", 5000), false);
    const own = { ...ownerOf(process.pid, machine), socket: "/s.sock", token: "mine", version: "1.0.0" };
    writeRecord(home, own);
    assert.equal(touchRecord(home, "mine", 5000), true);
    assert.equal(statSync(home.record).mtimeMs, 5000);
    writeRecord(home, { ...own, token: "other" });
    assert.equal(touchRecord(home, "mine", 6000), false);
    writeFileSync(home.record, "{");
    assert.equal(touchRecord(home, "mine", 7000), false);
    assert.equal(touchRecord(home, "other", 7000), false);
  });

  it("the latest is sent when the one before has left, and nothing between", async () => {
    const sent: number[] = [];
    let leave: () => void = () => undefined;
    const sender = new LatestSender<number>((value) => {
      sent.push(value);
      return new Promise((resolve) => (leave = resolve));
    });
    for (const value of [1, 2, 3]) sender.offer(value);
    leave();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(sent, [1, 3]);
    sender.offer(4);
    sender.clear();
    leave();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(sent, [1, 3]);
  });

  it("a shared value is made once, cached for a while, and released once", async () => {
    let [made, gone] = [0, 0];
    const shared = new RefCounted<{ dispose(): void }>(0);
    const make = () => {
      made += 1;
      return { dispose: () => (gone += 1) };
    };
    const [one, two] = [shared.acquire("a", make), shared.acquire("a", make)];
    assert.equal(one.item, two.item);
    one.dispose();
    one.dispose();
    assert.equal(shared.items.length, 1);
    two.dispose();
    const again = shared.acquire("a", make);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([made, gone], [1, 0]);
    shared.dispose();
    again.dispose();
    assert.deepEqual([made, gone, shared.items.length], [1, 1, 0]);
  });

  it("versions are ordered by their numbers", () => {
    const ordered = ["unknown", "0.1.0", "0.9.9", "0.10.0", "1.0.0", "1.0.1-next.2"];
    for (const [i, a] of ordered.entries())
      for (const [j, b] of ordered.entries())
        assert.equal(Math.sign(compareVersions(a, b)), Math.sign(i - j));
  });

  it("a token is itself and nothing else", () => {
    const token = newToken();
    assert.ok(isToken(token, token));
    fc.assert(fc.property(fc.string(), (shown) => !isToken(shown, token)));
    assert.equal(isToken(token.slice(0, -1), token), false);
  });

  it("the idle time is in minutes, 0 for never, and as set if the variable is invalid", () => {
    const read = (reported?: string, idleMinutes = 30) =>
      readIdleTime({ PURSER_IDLE_MINUTES: reported }, { idleMinutes });
    assert.deepEqual(
      ["2", "0.5", "0"].map((text) => read(text)),
      [120_000, 30_000, null],
    );
    assert.deepEqual(
      ["", "x", "-1", undefined].map((text) => read(text)),
      Array(4).fill(1_800_000),
    );
    assert.deepEqual([read(undefined, 5), read("2", 5), read(undefined, 0)], [300_000, 120_000, null]);
  });

  it("a full log starts again, keeps the previous one, and has one line per message", (t) => {
    const file = path.join(scratchFolder(t), "service.log");
    const log = new FileLog(file, { now: () => 0 });
    writeFileSync(file, "x".repeat(1024 * 1024));
    log.write("warn", "a\u001b[2Jb\nc");
    assert.equal(readFileSync(file, "utf8"), "1970-01-01T00:00:00.000Z warn  ab c\n");
    assert.equal(readFileSync(`${file}.1`, "utf8").length, 1024 * 1024);
    new FileLog(path.join(file, "no-folder"), { now: () => 0 }).write("info", "lost");
  });

  it("the socket is elsewhere if the home's own folder cannot have one", async (t) => {
    const folder = scratchFolder(t);
    const home = purserPaths({ env: { PURSER_HOME: path.join(folder, "home") }, home: folder });
    mkdirSync(home.folder);
    writeFileSync(home.sockets, "");
    const { platform } = process;
    const opened = await openEndpoint({
      home,
      platform,
      env: { XDG_RUNTIME_DIR: folder },
      temporary: os.tmpdir(),
    });
    assert.ok(opened.ok);
    opened.value.server.close();
    assert.equal(path.dirname(path.dirname(opened.value.address)), folder);
  });
});
