import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { findProgram, startOf } from "../../../../src/engine/base/process/find-program.ts";
import { scratchFolder } from "../../support/scratch.ts";

const isWindows = process.platform === "win32";

test(
  "A program is found where a terminal finds it: the first in the PATH that may be run",
  { skip: isWindows },
  async (t) => {
    const root = scratchFolder(t);
    const [one = "", two = ""] = ["one", "two"].map((name) => path.join(root, name));
    for (const folder of [one, two, path.join(one, "codex")]) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(one, "claude"), "not for running");
    for (const name of ["claude", "codex"]) {
      writeFileSync(path.join(two, name), "#!/bin/sh\n");
      chmodSync(path.join(two, name), 0o755);
    }
    const find = (name: string, searched: string) =>
      findProgram(name, { env: { PATH: searched }, platform: process.platform });
    const both = `${one}:${two}`;
    assert.equal(await find("claude", both), path.join(two, "claude"));
    assert.equal(await find("codex", both), path.join(two, "codex"));
    assert.equal(await find("gemini", both), null);
    assert.equal(await find("claude", ""), null);
    assert.equal(await find(path.join(two, "codex"), ""), path.join(two, "codex"));
    // A folder that is named relative to the working folder is a project's.
    assert.equal(await find("claude", path.relative(process.cwd(), two)), null);
  },
);

test("On Windows the endings of programs are tried, and its shell runs scripts", async (t) => {
  const folder = scratchFolder(t);
  writeFileSync(path.join(folder, "claude"), "a shell's script");
  writeFileSync(path.join(folder, "claude.cmd"), "");
  const found = await findProgram("claude", {
    env: { Path: folder, PATHEXT: ".exe;.cmd" },
    platform: "win32",
  });
  assert.equal(found, path.join(folder, "claude.cmd"));
  assert.deepEqual(startOf("C:\\x\\claude.CMD", ["a b"], "win32"), {
    file: "cmd.exe",
    args: ["/d", "/c", "C:\\x\\claude.CMD", "a b"],
  });
  assert.deepEqual(startOf("C:\\x\\codex.exe", ["a"], "win32"), { file: "C:\\x\\codex.exe", args: ["a"] });
  assert.deepEqual(startOf("/bin/claude", ["a"], "linux"), { file: "/bin/claude", args: ["a"] });
});
