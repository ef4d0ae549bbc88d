import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "../../test/engine/support/scratch.ts";
import { waitUntil } from "../../test/engine/support/wait-until.ts";
import { runGroup } from "./run-group.ts";

const skip = process.platform === "win32" && "its programs are the shell's";
const never = new AbortController().signal;

test("returns a program's end, its output and its processor time", { skip }, async () => {
  const script = "echo one; echo two >&2; i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; exit 3";
  const ended = await runGroup(["sh", "-c", script], {
    cwd: process.cwd(),
    env: {},
    timeout: 60_000,
    signal: never,
  });
  assert.deepEqual([ended.exitCode, ended.output], [3, "one\ntwo"]);
  assert.ok(ended.processor !== null && ended.processor > 0 && ended.processor < 30);
});

for (const [why, timeout] of [
  ["aborted", 60_000],
  ["too long", 300],
] as const)
  test(`what a program began ends with it: ${why}`, { skip }, async (t) => {
    const pidFile = join(scratchFolder(t), "pid");
    const abort = new AbortController();
    const ended = runGroup(["sh", "-c", 'sleep 99 & echo $! > "$0"; wait', pidFile], {
      cwd: process.cwd(),
      env: {},
      timeout,
      signal: abort.signal,
    });
    if (why === "aborted") {
      await waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "");
      abort.abort();
    }
    assert.notEqual((await ended).exitCode, 0);
    const isRunning = () => existsSync(`/proc/${readFileSync(pidFile, "utf8").trim()}/cmdline`);
    if (existsSync(pidFile) && process.platform === "linux") await waitUntil(() => !isRunning());
  });
