import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { callGuardHandler } from "../../../../src/engine/guard/calls/calls-handler.ts";
import { changedScriptHandler } from "../../../../src/engine/guard/calls/changed-scripts.ts";
import { SentAdvice } from "../../../../src/engine/guard/delivery.ts";
import type { GuardHitEntry } from "../../../../src/engine/guard/hit-entry.ts";
import { createRuleJudge } from "../../../../src/engine/guard/host/create-rules.ts";
import { ScriptLooks } from "../../../../src/engine/guard/host/script-looks.ts";
import { defaultHookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import { scratchFolder } from "../../support/scratch.ts";

/** A session beside real files, with guards on. */
function session(t: TestContext, elapsed = () => 0) {
  const home = scratchFolder(t);
  const folder = path.join(home, "shop");
  mkdirSync(path.join(folder, ".git"), { recursive: true });
  const { calls } = createRuleJudge({
    home: { guardRules: path.join(home, "guard.yaml"), trustedFolders: path.join(home, "trusted.json") },
    clock: systemClock,
    userHome: home,
    platform: process.platform,
    temporary: "/tmp",
    readsFiles: true,
    // By default time stands still, as reading on a busy machine may take too long.
    elapsed,
    onProblem: ({ text }) => assert.fail(text),
  });
  const recorded: GuardHitEntry[] = [];
  const ports = {
    ...calls,
    modeOf: () => "on" as const,
    isOn: () => true,
    record: (entries: readonly GuardHitEntry[]) => recorded.push(...entries),
    sent: new SentAdvice(new SessionMemory()),
    isSilent: () => false,
    now: () => 1000,
  };
  const before = callGuardHandler(ports);
  const after = changedScriptHandler(ports);
  let uses = 0;
  const common = { session_id: "s", cwd: folder };
  const pre = async (tool_name: string, tool_input: object, tool_use_id = `use-${(uses += 1)}`) => {
    const event = { hook_event_name: "PreToolUse", ...common, tool_name, tool_input, tool_use_id } as const;
    return (await before.answer(event, defaultHookContext))?.permission?.decision ?? "passed";
  };
  const post = async (command: string, tool_use_id: string) => {
    const tool = { tool_name: "Bash", tool_input: { command }, tool_use_id, tool_response: "" };
    return after.answer({ hook_event_name: "PostToolUse", ...common, ...tool }, defaultHookContext);
  };
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  return {
    folder,
    pre,
    post,
    write,
    recorded,
    run: (command: string, use?: string) => pre("Bash", { command }, use),
  };
}

test("a script that changed between the look and the run is judged again: told, recorded, and asked about next time", async (t) => {
  const { run, post, write, recorded } = session(t);
  write("clean.sh", "rm -rf dist\n");
  assert.equal(await run("bash clean.sh", "a"), "passed");
  write("clean.sh", "rm -rf ~\n");
  const answer = await post("bash clean.sh", "a");
  assert.match(answer?.context ?? "", /clean\.sh changed after this call was checked.*delete-home/u);
  assert.deepEqual(
    recorded.map(({ rule, done, excerpt }) => [rule, done, /clean\.sh: rm -rf \//u.test(excerpt ?? "")]),
    [["not-judged", "unjudged", true]],
  );
  assert.equal(await run("bash clean.sh"), "ask");
});

test("a script that the call itself fetched or replaced is judged when the call has ended", async (t) => {
  const { run, post, write } = session(t);
  assert.equal(await run("git checkout other -- tidy.sh && bash tidy.sh", "a"), "passed");
  write("tidy.sh", "git push --force origin main\n");
  assert.match((await post("git checkout other -- tidy.sh && bash tidy.sh", "a"))?.context ?? "", /force/u);
});

test("a script that is as it was, is gone, or changed to something harmless, says nothing afterwards", async (t) => {
  const { folder, run, post, write, recorded } = session(t);
  for (const [name, change] of [
    ["same.sh", () => undefined],
    ["gone.sh", () => rmSync(path.join(folder, "gone.sh"))],
    ["other.sh", () => write("other.sh", "echo 2\n")],
  ] as const) {
    write(name, "echo 1\n");
    assert.equal(await run(`bash ${name}`, name), "passed");
    change();
    assert.equal(await post(`bash ${name}`, name), null);
  }
  assert.equal(await post("bash same.sh", "never looked at"), null);
  assert.deepEqual(recorded, []);
});

test("an edit of the same turn counts before it is on the disk", async (t) => {
  const { folder, pre, run, write } = session(t);
  const file_path = path.join(folder, "new.sh");
  await pre("Write", { file_path, content: "rm -rf ~\n" });
  assert.equal(await run("bash new.sh"), "ask");
  const old = write("old.sh", "rm -rf build\n");
  await pre("Edit", { file_path: old, old_string: "build", new_string: "~" });
  assert.equal(await run("bash old.sh"), "ask");
  write("old.sh", "rm -rf build\n# done\n");
  assert.equal(await run("cat old.sh"), "passed");
});

test("a script that the agent wrote is read wherever it is, and asked about where a part of it cannot be read", async (t) => {
  const { folder, pre, run, write } = session(t);
  const hidden = path.join(folder, "node_modules/.bin/tidy");
  write("node_modules/.bin/tidy", "rm -rf ~\n");
  assert.equal(await run("./node_modules/.bin/tidy"), "passed");
  await pre("Write", { file_path: hidden, content: "rm -rf ~\n" });
  assert.equal(await run("./node_modules/.bin/tidy"), "ask");
  const long = "echo working on it\n".repeat(4000);
  write("theirs.sh", long);
  assert.equal(await run("bash theirs.sh"), "passed");
  const own = write("own.sh", long);
  await pre("Write", { file_path: own, content: long });
  assert.equal(await run("bash own.sh"), "ask");
  const short = "set -e\nnpm ci\nnpm test\n".repeat(20);
  await pre("Write", { file_path: write("short.sh", short), content: short });
  assert.equal(await run("bash short.sh"), "passed");
});

test("calls in the background, after an interruption and of a script are judged like any other", async (t) => {
  const { pre, run } = session(t);
  for (const use of ["toolu_1", "toolu_cc_1", "exec-1"]) {
    assert.equal(await pre("Bash", { command: "rm -rf ~", run_in_background: true }, use), "ask");
    // No event ended the call before: it was interrupted.
    assert.equal(await run("rm -rf ~", use), "ask");
  }
  assert.equal(await run("(sleep 60; rm -rf ~) &"), "ask");
  assert.equal(await run("nohup sh -c 'sleep 9; rm -rf ~' > /dev/null 2>&1 & disown"), "ask");
});

test("remembers a bounded number of calls, scripts and edits", () => {
  const looks = new ScriptLooks(() => 0);
  for (let count = 0; count < 300; count += 1) {
    looks.look(`use-${count}`, "/a.sh", "a");
    const call = { kind: "file", tool: "edit", content: "x", removed: null } as const;
    looks.note("s", "/", { ...call, file: `${count}.sh` });
  }
  for (let count = 0; count < 300; count += 1) looks.look("many", `/${count}.sh`, "a");
  const changed = () => "b";
  assert.deepEqual(looks.changedSince("use-0", changed), []);
  assert.deepEqual(looks.changedSince("use-299", changed), ["/a.sh"]);
  assert.equal(looks.changedSince("many", changed).length, 60);
  assert.deepEqual([looks.isWritten("s", "/0.sh"), looks.isWritten("s", "/299.sh")], [false, true]);
});

test("the scripts of a first call are read, however long the rules take to load", async (t) => {
  let now = 0;
  const { run, write } = session(t, () => (now += 40));
  write("clean.sh", "rm -rf ~\n");
  now = 5000;
  assert.equal(await run("bash clean.sh"), "ask");
});
