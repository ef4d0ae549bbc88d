import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { isLeftover, writeAtomically } from "../../../../src/engine/base/files.ts";
import { nodeFiles, type FilePort } from "../../../../src/engine/base/disk/file-port.ts";
import { scratchFolder } from "../../support/scratch.ts";

let words = 0;
const unique = () => String((words += 1));
const error = Object.assign(new Error("EIO"), { code: "EIO" });

test("A file is replaced as a whole, and is its owner's only", async (t) => {
  const file = path.join(scratchFolder(t), "file");
  writeFileSync(file, "old", { mode: 0o644 });
  await writeAtomically(file, Buffer.from("new"), { files: nodeFiles, unique });
  assert.equal(readFileSync(file, "utf8"), "new");
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("two simultaneous writers leave the whole content of one", async (t) => {
  const folder = scratchFolder(t);
  const file = path.join(folder, "file");
  const texts = ["a", "b"].map((letter) => letter.repeat(100_000));
  await Promise.all(
    texts.map((text) => writeAtomically(file, Buffer.from(text), { files: nodeFiles, unique })),
  );
  assert.ok(texts.includes(readFileSync(file, "utf8")));
  assert.deepEqual(readdirSync(folder), ["file"]);
});

for (const [step, broken] of [
  [
    "written",
    { create: async (file) => ({ ...(await nodeFiles.create(file)), write: () => Promise.reject(error) }) },
  ],
  [
    "flushed",
    { create: async (file) => ({ ...(await nodeFiles.create(file)), flush: () => Promise.reject(error) }) },
  ],
  ["renamed", { rename: () => Promise.reject(error) }],
] satisfies [string, Partial<FilePort>][])
  test(`When it cannot be ${step}, the old content stays and nothing else`, async (t) => {
    const folder = scratchFolder(t);
    const file = path.join(folder, "file");
    writeFileSync(file, "old");
    const files = { ...nodeFiles, ...broken };
    await assert.rejects(writeAtomically(file, Buffer.from("new"), { files, unique }), { code: "EIO" });
    assert.equal(readFileSync(file, "utf8"), "old");
    assert.deepEqual(readdirSync(folder), ["file"]);
  });

test("the name identifies a killed writer's file", () => {
  assert.ok(isLeftover(".ledger.sqlite.12-3.tmp"));
  assert.ok(!isLeftover("ledger.sqlite"));
});
