import assert from "node:assert/strict";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { nodeFiles } from "../../../src/engine/base/file-port.ts";
import { takeLock, type LockFile, type LockPorts } from "../../../src/engine/base/lock-file.ts";
import { scratchFolder } from "../support/scratch.ts";

let words = 0;

function ports(over: Partial<LockPorts> = {}): LockPorts {
  const alive = { pid: 1, host: "here", isAlive: (pid: number) => pid === 1 };
  return { files: nodeFiles, unique: () => String((words += 1)), ...alive, ...over };
}

async function taken(
  t: test.TestContext,
  file: string,
  over: Partial<LockPorts> = {},
): Promise<LockFile | null> {
  const lock = await takeLock(file, ports(over));
  if (!lock.ok) return null;
  t.after(() => lock.value.release());
  return lock.value;
}

test("One holds it, and nothing else stays in the folder", async (t) => {
  const folder = scratchFolder(t);
  const file = path.join(folder, "lock");
  const first = await taken(t, file);
  const refused = await takeLock(file, ports());
  assert.deepEqual(refused, { ok: false, reason: "locked", detail: `${file} is held by process 1 on here` });
  assert.deepEqual(readdirSync(folder), ["lock"]);
  await first?.release();
  assert.ok(await taken(t, file));
});

test("Of ten at once, one gets a dead process's lock", async (t) => {
  const file = path.join(scratchFolder(t), "lock");
  writeFileSync(file, JSON.stringify({ pid: 99, host: "here", token: "old" }));
  const locks = await Promise.all(Array.from({ length: 10 }, () => taken(t, file)));
  assert.equal(locks.filter((lock) => lock !== null).length, 1);
});

for (const [name, content] of [
  ["another machine's", JSON.stringify({ pid: 1, host: "there", token: "old" })],
  ["a reused pid's", JSON.stringify({ pid: 1, host: "here", token: "old" })],
  ["an unreadable one", "{"],
] as const)
  test(`A lock that is ${name} is taken over after a minute of silence only`, async (t) => {
    const file = path.join(scratchFolder(t), "lock");
    writeFileSync(file, content);
    assert.equal(await taken(t, file), null);
    const long = Date.now() / 1000 - 61;
    utimesSync(file, long, long);
    assert.ok(await taken(t, file));
  });

test("Who lost it does not remove the other's", async (t) => {
  const folder = scratchFolder(t);
  const file = path.join(folder, "lock");
  const first = await taken(t, file);
  writeFileSync(file, JSON.stringify({ pid: 1, host: "here", token: "another" }));
  await first?.release();
  assert.deepEqual(readdirSync(folder), ["lock"]);
  assert.equal(await first?.isHeld(), false);
});
