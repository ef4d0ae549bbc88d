import assert from "node:assert/strict";
import path from "node:path";
import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import {
  launcherFile,
  posixCommand,
  programCommand,
  shellCommand,
} from "../../../../src/engine/base/process/system-commands.ts";
import { findProgram, startOf } from "../../../../src/engine/base/process/find-program.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("each system's shell runs a line", () => {
  assert.deepEqual(shellCommand("npm test", "win32"), {
    file: "cmd.exe",
    args: ["/d", "/s", "/c", "npm test"],
  });
  assert.deepEqual(shellCommand("npm test", "darwin"), { file: "/bin/sh", args: ["-c", "npm test"] });
  assert.deepEqual(posixCommand("npm test", "win32"), { file: "sh", args: ["-c", "npm test"] });
  assert.deepEqual(posixCommand("npm test", "linux"), { file: "/bin/sh", args: ["-c", "npm test"] });
});

test("Windows runs a program of the PATH through its shell, and a file directly", () => {
  assert.deepEqual(programCommand("claude", ["--version"], "win32"), {
    file: "cmd.exe",
    args: ["/d", "/c", "claude", "--version"],
  });
  const file = String.raw`C:\Tools\claude.exe`;
  assert.deepEqual(programCommand(file, ["--version"], "win32"), { file, args: ["--version"] });
  assert.deepEqual(programCommand("claude", [], "linux"), { file: "claude", args: [] });
});

test("a launcher for Windows quotes its words, and no percent sign begins a variable", () => {
  const self = [String.raw`C:\Program Files\100%\node.exe`, "cli.cjs"];
  assert.deepEqual(launcherFile("purser", { self, isElectron: true }, "win32"), {
    name: "purser.cmd",
    text: `@echo off\r\nset ELECTRON_RUN_AS_NODE=1\r\n"C:\\Program Files\\100%%\\node.exe" "cli.cjs" %*\r\n`,
  });
});

test("a launcher passes every argument on as it is", { skip: process.platform === "win32" }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "launcher-"));
  const script = path.join(folder, 'it\'s a $HOME `x` "name".cjs');
  writeFileSync(script, "process.stdout.write(JSON.stringify(process.argv.slice(2)))");
  const self = { self: [process.execPath, script], isElectron: false };
  const { name, text } = launcherFile("purser", self, "linux");
  const file = path.join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o700);
  const word = fc.string({ unit: "binary", maxLength: 12 }).filter((each) => !each.includes("\0"));
  fc.assert(
    fc.property(fc.array(word, { minLength: 8, maxLength: 40 }), (args) => {
      const wellFormed = args.map((each) => Buffer.from(each).toString());
      assert.deepEqual(JSON.parse(execFileSync(file, wellFormed, { encoding: "utf8" })), wellFormed);
    }),
    { numRuns: 3 },
  );
});

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
