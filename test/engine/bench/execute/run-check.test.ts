import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isProcessAlive, linuxProcess } from "../../../../src/engine/base/process/system-commands.ts";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { runCheck, type CheckOptions } from "../../../../src/engine/bench/execute/run-check.ts";
import { filesBelow } from "../../../../src/engine/bench/golden/read.ts";
import type { CheckFile } from "../../../../src/engine/bench/suite/suite.ts";
import { scratchFolder, writeFiles } from "../support/disk-suite.ts";

const options = (more: Partial<CheckOptions> = {}): CheckOptions => ({
  env: process.env,
  clock: systemClock,
  timeout: 20_000,
  signal: new AbortController().signal,
  mark: `check-${randomUUID()}`,
  ...more,
});
const script = (text: string): { check: string; checkFiles: readonly CheckFile[] } => ({
  check: "node .purser-check/a/check.mjs",
  checkFiles: [{ path: "a/check.mjs", text }],
});
async function assertGone(pidFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, "utf8"));
  assert.ok(pid > 0);
  assert.equal(isProcessAlive(pid), false, `${pid} is still running`);
}

describe("a check", { concurrency: true }, () => {
  it("passes with exit code 0, fails with any other, and its output is reported", async (t) => {
    const folder = await scratchFolder(t);
    const passed = await runCheck(script('console.log("well");'), folder, options());
    assert.deepEqual([passed.outcome, passed.exitCode, passed.output], ["passed", 0, "well\n"]);
    const failed = await runCheck(script('console.error("not so"); process.exit(3);'), folder, options());
    assert.deepEqual([failed.outcome, failed.exitCode, failed.output], ["failed", 3, "not so\n"]);
    const shell = await runCheck({ check: "test -e a.txt || exit 4", checkFiles: [] }, folder, options());
    assert.deepEqual([shell.outcome, shell.exitCode], ["failed", 4]);
  });

  it("reports the end of its output, however long", async (t) => {
    const text = 'for (let n = 0; n < 20000; n += 1) console.log("line", n);';
    const { outcome, output } = await runCheck(script(text), await scratchFolder(t), options());
    assert.equal(outcome, "passed");
    assert.ok(output.endsWith("line 19999\n") && output.length <= 64_000);
  });

  it("has its own files while it runs, and leaves nothing", async (t) => {
    const folder = await scratchFolder(t);
    await writeFiles(folder, { "a.txt": "", ".purser-check/left.txt": "by an agent" });
    const text = 'import { readdirSync } from "node:fs"; console.log(readdirSync(".purser-check").join());';
    assert.equal((await runCheck(script(text), folder, options())).output, "a,home,tmp\n");
    assert.deepEqual(await filesBelow(folder), ["a.txt"]);
  });

  it("is not led elsewhere by a link that an agent left", async (t) => {
    const root = await scratchFolder(t);
    await writeFiles(root, { "copy/a.txt": "", "precious/b.txt": "kept" });
    await symlink(path.join(root, "precious"), path.join(root, "copy/.purser-check"), "junction");
    assert.equal((await runCheck(script(""), path.join(root, "copy"), options())).outcome, "passed");
    assert.deepEqual(await filesBelow(root), ["copy/a.txt", "precious/b.txt"]);
    assert.equal(await readFile(path.join(root, "precious/b.txt"), "utf8"), "kept");
  });

  it("cannot read the user's environment", async (t) => {
    const folder = await scratchFolder(t);
    const env = {
      ...process.env,
      ANTHROPIC_API_KEY: "secret",
      NODE_OPTIONS: "--no-such-option",
      HOME: "/home/somebody",
    };
    const { output } = await runCheck(
      script("console.log(JSON.stringify(process.env));"),
      folder,
      options({ env }),
    );
    assert.doesNotMatch(output, /secret|somebody|no-such-option/u);
    assert.ok(output.includes(JSON.stringify(path.join(folder, ".purser-check", "home"))));
  });

  it("is unavailable if its program is missing, which says nothing about the work", async (t) => {
    const folder = await scratchFolder(t);
    const none = await runCheck({ check: "no-such-program-here", checkFiles: [] }, folder, options());
    assert.equal(none.outcome, "unavailable");
    const env = { PATH: path.join(folder, "empty") };
    assert.equal((await runCheck(script(""), folder, options({ env }))).outcome, "unavailable");
  });

  it("is failed work, not a missing environment, if the check's own program exists", async (t) => {
    const folder = await scratchFolder(t);
    await writeFiles(folder, {
      "package.json": JSON.stringify({ name: "a", scripts: { test: "no-such-program-here" } }),
    });
    const outcomeOf = async (check: string) =>
      (await runCheck({ check, checkFiles: [] }, folder, options())).outcome;
    // The agent may have broken the script: npm exits with its shell's exit code.
    assert.equal(await outcomeOf("npm test --silent"), "failed");
    assert.equal(await outcomeOf("sh -c no-such-program-here"), "failed");
    assert.equal(await outcomeOf("./tool --made-by-the-agent"), "failed");
    assert.equal(await outcomeOf('test -e package.json && "no-such-program-here"'), "failed");
    assert.equal(await outcomeOf("A=1 B=2 no-such-program-here --x"), "unavailable");
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[a-z][\w.-]{0,12}$/u),
        fc.constantFrom("", " -a", " b c"),
        async (word, rest) => {
          const { outcome, exitCode } = await runCheck(
            { check: `no-such-${word}${rest}`, checkFiles: [] },
            folder,
            options(),
          );
          assert.deepEqual([outcome, exitCode], ["unavailable", 127]);
        },
      ),
      { numRuns: 12 },
    );
  });

  const forever = 'import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";';
  const lasting = 'spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" })';

  it("is ended with all its processes after its time, or when cancelled", async (t) => {
    const folder = await scratchFolder(t);
    const text = `${forever} writeFileSync("pid", String(${lasting}.pid)); setInterval(() => {}, 1000);`;
    const late = await runCheck(script(text), folder, options({ timeout: 1500 }));
    assert.deepEqual([late.outcome, late.exitCode], ["timeout", null]);
    await assertGone(path.join(folder, "pid"));

    const abort = new AbortController();
    const running = runCheck(
      script(text.replace('"pid"', '"pid2"')),
      folder,
      options({ signal: abort.signal }),
    );
    const pid = path.join(folder, "pid2");
    while (!existsSync(pid) || readFileSync(pid, "utf8") === "")
      await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    assert.equal((await running).outcome, "cancelled");
    await assertGone(pid);
    assert.equal(
      (await runCheck(script(""), folder, options({ signal: abort.signal }))).outcome,
      "cancelled",
    );
  });

  it("does not wait for processes it left running", async (t) => {
    const folder = await scratchFolder(t);
    const text = `${forever} const left = ${lasting}; writeFileSync("pid", String(left.pid)); process.exit(0);`;
    const { outcome } = await runCheck(script(text), folder, options());
    assert.equal(outcome, "passed");
    await assertGone(path.join(folder, "pid"));
  });

  const alone = `spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true })`;

  it(
    "leaves nothing running that left its group",
    { skip: process.platform !== "linux" && "only Linux tells a process's environment" },
    async (t) => {
      const folder = await scratchFolder(t);
      const text = `${forever} const left = ${alone}; left.unref(); writeFileSync("pid", String(left.pid));`;
      assert.equal((await runCheck(script(text), folder, options())).outcome, "passed");
      await assertGone(path.join(folder, "pid"));
    },
  );
});

it(
  "a check that exited in time has passed, whatever still holds its output afterwards",
  { skip: process.platform !== "linux" && "only Linux ends what left its group" },
  async (t) => {
    const folder = await scratchFolder(t);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const check = "setsid sleep 77 & echo $$ > pid; mv pid leader";
    const running = runCheck({ check, checkFiles: [] }, folder, options({ timeout: 500 }));
    const leader = path.join(folder, "leader");
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    while (!existsSync(leader)) await turn();
    const pid = Number(readFileSync(leader, "utf8"));
    while (linuxProcess(pid) !== undefined) await turn();
    await turn();
    t.mock.timers.tick(500);
    t.mock.timers.tick(500);
    assert.equal((await running).outcome, "passed");
  },
);
