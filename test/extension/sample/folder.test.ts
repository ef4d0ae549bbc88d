import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { makeFolder, removeLeftFolders, type FolderPorts } from "../../../src/extension/sample/folder.ts";
import { scratchFolder } from "../../engine/support/scratch.ts";

const machine = thisMachine();
const hour = 60 * 60_000;

function portsIn(temporary: string, over: Partial<FolderPorts> = {}): FolderPorts {
  return { temporary, pid: process.pid, machine, clock: { now: () => Date.now() }, ...over };
}

test("a sample's folder is closed to others, and gone once removed, twice too", async (t) => {
  const temporary = scratchFolder(t);
  const folder = await makeFolder(portsIn(temporary));
  if (process.platform !== "win32") assert.equal(statSync(folder.path).mode & 0o777, 0o700);
  mkdirSync(path.join(folder.path, "deep/er"), { recursive: true });
  writeFileSync(path.join(folder.path, "deep/er/file"), "x");
  await folder.remove();
  assert.equal(existsSync(folder.path), false);
  await folder.remove();
});

test("removes what a killed window left, and keeps a live window's sample", async (t) => {
  const temporary = scratchFolder(t);
  const living = await makeFolder(portsIn(temporary));
  const killed = await makeFolder(portsIn(temporary));
  // A process with the same id that began at another time.
  const file = path.join(killed.path, "owner.json");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(text), startTime: "1" }));
  assert.equal(await removeLeftFolders(portsIn(temporary)), 1);
  assert.deepEqual([existsSync(living.path), existsSync(killed.path)], [true, false]);
  await living.remove();
});

test("leaves a folder without an owner alone for a minute, for the process that creates it", async (t) => {
  const temporary = scratchFolder(t);
  const folder = path.join(temporary, "purser-sample-abc");
  mkdirSync(folder);
  assert.equal(await removeLeftFolders(portsIn(temporary)), 0);
  const old = new Date(Date.now() - hour);
  utimesSync(folder, old, old);
  assert.equal(await removeLeftFolders(portsIn(temporary)), 1);
  assert.equal(existsSync(folder), false);
});

test("a link of that name, another name, and a temporary folder that is not there are left alone", async (t) => {
  const temporary = scratchFolder(t);
  const precious = path.join(scratchFolder(t), "precious");
  mkdirSync(precious);
  writeFileSync(path.join(precious, "file"), "mine");
  if (process.platform !== "win32") symlinkSync(precious, path.join(temporary, "purser-sample-link"));
  mkdirSync(path.join(temporary, "purser-samples"));
  const late = { now: () => Date.now() + 24 * hour };
  assert.equal(await removeLeftFolders(portsIn(temporary, { clock: late })), 0);
  assert.equal(readFileSync(path.join(precious, "file"), "utf8"), "mine");
  assert.equal(await removeLeftFolders(portsIn(path.join(temporary, "gone"))), 0);
});
