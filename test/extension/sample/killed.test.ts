import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { isProcessAlive } from "../../../src/engine/base/process/system-commands.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { systemClock } from "../../../src/engine/base/timing.ts";
import { connectService } from "../../../src/engine/service/client.ts";
import { makeFolder, removeLeftFolders } from "../../../src/extension/sample/folder.ts";
import { serveSample } from "../../../src/engine/service/left-sample.ts";
import { sampleHomes } from "../../../src/extension/sample/unpack.ts";
import { scratchFolder } from "../../engine/support/scratch.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";

const program = fileURLToPath(new URL("../support/sample-window.ts", import.meta.url));
const printed = z.object({ folder: z.string(), service: z.int() });
const limit = 60_000; // ms
const patience = 30_000; // ms
const machine = thisMachine();
const clock = systemClock;

/** A process that has a sample open, as a window has; it does not outlive a test that fails. */
async function openWindow(t: TestContext, temporary: string) {
  const child = spawn(process.execPath, [program, temporary], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const lines: readonly unknown[] = await once(child.stdout, "data");
  const { folder, service } = printed.parse(JSON.parse(String(lines[0])));
  const kill = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return { folder, service, kill };
}

test(
  "when a window is killed, its sample's service ends and leaves nothing",
  { timeout: limit },
  async (t) => {
    const temporary = scratchFolder(t);
    const window = await openWindow(t, temporary);
    const home = purserPaths({ env: sampleHomes(window.folder).env, home: window.folder });
    const onProblem = (message: string) => assert.fail(message);
    const other = await connectService({ home, machine, clock, version: "1.0.0", onProblem });
    assert.ok(other.ok);
    // Its ledger has read everything, and files are open.
    assert.ok((await other.value.ask("catchUp", {})).ok);
    await window.kill();
    assert.ok((await other.value.ask("describe", {})).ok, "it serves whoever is connected");
    other.value.dispose();
    await waitUntil(() => !isProcessAlive(window.service), patience);
    assert.deepEqual(readdirSync(temporary), []);
  },
);

test("serves a sample with a connected window, even if the window seems to be gone", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { path: folder } = await makeFolder({
    temporary: scratchFolder(t),
    pid: process.pid,
    machine,
    clock,
  });
  const looks: number[] = [];
  const isAlive = (pid: number) => {
    looks.push(pid);
    return false;
  };
  const ends = new EventEmitter();
  const service = {
    clients: 1,
    stopped: once(ends, "end").then(() => "idle" as const),
    stop: () => Promise.resolve(void ends.emit("end")),
  };
  const served = serveSample(folder, service, { machine: { ...machine, isAlive }, clock });
  t.mock.timers.tick(60_000);
  assert.deepEqual(looks, []);
  service.clients = 0;
  t.mock.timers.tick(60_000);
  await served;
  assert.ok(looks.every((pid) => pid === process.pid));
  assert.equal(existsSync(folder), false);
});

test(
  "when its service is killed too, the next sample removes what they left",
  { timeout: limit },
  async (t) => {
    const temporary = scratchFolder(t);
    const window = await openWindow(t, temporary);
    process.kill(window.service, "SIGKILL");
    await window.kill();
    await waitUntil(() => !isProcessAlive(window.service), patience);
    assert.ok(existsSync(window.folder));
    assert.equal(await removeLeftFolders({ temporary, pid: process.pid, machine, clock }), 1);
    assert.deepEqual(readdirSync(temporary), []);
  },
);
