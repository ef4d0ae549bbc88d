import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { commandLine } from "../../../../src/engine/base/text/version-order.ts";

const words = [
  "ablate",
  "my docs/CLAUDE.md#Don't guess",
  "--budget=1.5M",
  "$(id)",
  "",
  "a;b",
  '"x"',
  "zwölf",
];

test("Words that a shell would change are quoted, others are not", () => {
  assert.equal(
    commandLine(words.slice(0, 4), "linux"),
    `ablate 'my docs/CLAUDE.md#Don'\\''t guess' --budget=1.5M '$(id)'`,
  );
  assert.equal(commandLine(["--cwd", "C:\\my dir", 'a "b"'], "win32"), `--cwd 'C:\\my dir' 'a "b"'`);
  assert.equal(
    commandLine(["a\u001b[31mb\u202ec"], "linux"),
    "'a[31mbc'",
    "the terminal obeys nothing of it",
  );
});

test("A shell reads the same words", { skip: process.platform === "win32" }, () => {
  const line = commandLine(words, "linux");
  const read = execFileSync("sh", ["-c", `for word in ${line}; do printf '%s\\n' "$word"; done`], {
    encoding: "utf8",
  });
  assert.deepEqual(read.trimEnd().split("\n"), words);
});
