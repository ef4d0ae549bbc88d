import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import {
  launcherFile,
  posixCommand,
  programCommand,
  shellCommand,
} from "../../../../src/engine/base/process/system-commands.ts";

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
