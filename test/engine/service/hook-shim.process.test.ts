import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { build } from "esbuild";
import fc from "fast-check";
import { hookPrograms } from "../../../src/engine/hooks/program.ts";
import { wantedHooks } from "../../../src/engine/hooks/install/settings/wanted-hooks.ts";
import { limitOf } from "../../../src/engine/service/launch/time-limits.ts";
import { readRecord, writeRecord } from "../../../src/engine/service/service-record.ts";
import { scratchFolder } from "../support/scratch.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ServiceSandbox, machine } from "./support/box.ts";
import { hook, TestHookService } from "./support/hooks.ts";
import { hookProgram } from "../support/programs.ts";
import { announce, listening, place, run, sessionEnd, silent, spooled } from "./support/run-shim.ts";

describe("the hooks' program", { concurrency: 3 }, () => {
  it("passes its input to the service, and the answer to the agent", async (t) => {
    const hooks = new TestHookService(t);
    hooks.answer = () => ({ context: "Räume: 5 % left 🚢" });
    await hooks.begin();
    const env = { PURSER_HOME: hooks.home.folder };
    const argument = "--purser-hook=codex:PreToolUse";
    const result = await run({
      env,
      argument,
      input: hook("PreToolUse", { tool_name: "Bash", n: "ü".repeat(70_000) }),
    });
    assert.deepEqual([result.code, result.err], [0, ""]);
    assert.deepEqual(JSON.parse(result.out), {
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "Räume: 5 % left 🚢" },
    });
    silent(await run({ env, argument, input: "no hook" }));
    await waitUntil(() => hooks.recordedEntries.length === 1);
    assert.deepEqual([hooks.recordedEntries[0]?.tool, hooks.recordedEntries[0]?.outcome], ["Bash", "advise"]);
    assert.deepEqual(spooled(hooks.home.spool), []);
  });

  it("lets its own build replace another running one, after the answer", async (t) => {
    const hooks = new TestHookService(t);
    hooks.answer = () => ({ context: "Wrap up." });
    await hooks.begin();
    const dist = path.join(scratchFolder(t), "dist");
    const program = path.join(dist, "hook.cjs");
    await build({
      entryPoints: [path.join(import.meta.dirname, "../../../src/engine/service/hook-shim.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "cjs",
      define: { "import.meta.filename": "__filename" },
      supported: { "dynamic-import": false },
    });
    const startMark = path.join(dist, "begun");
    writeFileSync(
      path.join(dist, "service.cjs"),
      `require("node:fs").appendFileSync(${JSON.stringify(startMark)}, process.argv.slice(2).join(" ") + "\\n")`,
    );
    const env = { PURSER_HOME: hooks.home.folder };
    const argument = "--purser-hook=claude-code:PreToolUse";
    const ask = async () => {
      const result = await run({ env, argument, program, input: hook("PreToolUse") });
      assert.match(result.out, /"additionalContext":"Wrap up\."/u);
    };
    const stamp = (hash: string) =>
      writeFileSync(path.join(dist, "build.json"), JSON.stringify({ hash, builtAt: 2 }));
    await ask();
    assert.equal(
      existsSync(path.join(hooks.home.folder, "hook-successor")),
      false,
      "it runs as it is written",
    );
    stamp("b");
    await ask();
    await waitUntil(() => existsSync(startMark));
    await ask();
    assert.equal(readFileSync(startMark, "utf8"), "--successor\n");
    const record = readRecord(hooks.home);
    assert.ok(record.ok && record.value !== null);
    writeRecord(hooks.home, { ...record.value, build: "c", builtAt: 3 });
    stamp("c");
    await ask();
    stamp("d");
    await ask();
    await waitUntil(() => readFileSync(startMark, "utf8") === "--successor\n--successor\n");
  });

  it("spools a hook without a service: that it occurred, but none of its texts", async (t) => {
    const { env, home } = place(t);
    const input = hook("SessionEnd", { tool_name: "x".repeat(9999), prompt: "my secret", agent_id: 5 });
    silent(await run({ env, input }));
    announce(home, path.join(home.sockets, "gone.sock"));
    silent(await run({ env, input }));
    const [first, second] = spooled(home.spool);
    assert.ok(typeof first === "object" && first !== null && "id" in first && "at" in first);
    const { id, at, ...rest } = first;
    assert.deepEqual(rest, {
      kind: "hook-event",
      sessionId: "s-1",
      event: "SessionEnd",
      agentId: null,
      tool: "x".repeat(200),
    });
    assert.ok(typeof id === "string" && typeof at === "number");
    assert.ok(second !== undefined && !JSON.stringify(second).includes(id));
    assert.equal(existsSync(home.log), false, "the session is over: no service is begun for it");
  });

  it("starts the service, which then has the hook", async (t) => {
    const box = new ServiceSandbox(t, { PURSER_IDLE_MINUTES: "1" });
    const argument = "--purser-hook=claude-code:SessionStart";
    silent(await run({ env: box.env, input: hook("SessionStart"), argument }));
    silent(await run({ env: box.env, input: hook("SessionStart"), argument }));
    await waitUntil(() => box.pids().length === 1);
    const folder = path.join(box.home.folder, "journal");
    const journal = () =>
      (existsSync(folder) ? readdirSync(folder) : [])
        .map((name) => readFileSync(path.join(folder, name), "utf8"))
        .join("");
    await waitUntil(() => journal().split('"kind":"hook-event"').length === 3);
    await waitUntil(() => readdirSync(box.home.spool).length === 0);
  });

  it("starts the service for a prompt though the last one ended a moment after its start", async (t) => {
    const box = new ServiceSandbox(t, { PURSER_IDLE_MINUTES: "1" });
    mkdirSync(box.home.folder, { mode: 0o700 });
    // Another prompt does not wait for that long.
    writeFileSync(box.home.settings, '{ "budgets": "hard" }');
    const input = hook("UserPromptSubmit", { prompt: "Go on." });
    const argument = "--purser-hook=claude-code:UserPromptSubmit";
    silent(await run({ env: box.env, input, argument }));
    await waitUntil(() => box.pids().length === 1);
    const [pid] = box.pids();
    assert.ok(pid !== undefined);
    process.kill(pid, "SIGKILL");
    await waitUntil(() => !machine.isAlive(pid));
    const at = Date.now() / 1000;
    const startMark = path.join(box.home.folder, "hook-start");
    writeFileSync(startMark, "");
    utimesSync(startMark, at, at);
    utimesSync(box.home.record, at + 0.01, at + 0.01);
    silent(await run({ env: box.env, input, argument }));
    await waitUntil(() => box.pids().some((next) => next !== pid));
  });

  it("ends in time without input or without an answer", async (t) => {
    const { env, home } = place(t);
    const silence = await run({ env, input: null });
    silent(silence);
    await listening(t, home, {}, () => undefined);
    silent(await run({ env, input: hook("SessionEnd") }));
    assert.equal(spooled(home.spool).length, 1);
  });

  it("leaves that a hook was where the agent does not come to its end", async (t) => {
    const { env, home } = place(t);
    const child = spawn(process.execPath, [hookProgram, sessionEnd], { env, timeout: 30_000 });
    child.stdin.write(hook("SessionEnd", { reason: "other", more: "" }).slice(0, -10));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    assert.equal(await ended, 0);
    child.stdin.destroy();
    assert.match(JSON.stringify(spooled(home.spool)), /"event":"SessionEnd"/u);
  });

  it("ends in the time that each hook has", () => {
    for (const platform of ["linux", "win32"] as const)
      for (const program of hookPrograms)
        for (const { event, handler } of wantedHooks({
          program,
          shim: { path: hookProgram, runtime: "node" },
          address: null,
          isShared: false,
          platform,
        })) {
          const timeout = Number(handler["timeout"] ?? handler["timeoutSec"]) * 1000;
          assert.ok(limitOf(event) < timeout, `${program} ${event}`);
          // It includes starting a process.
          assert.ok(timeout - limitOf(event) >= 300, `${program} ${event}`);
        }
  });

  it("ends with the agent while it waits for a person", async (t) => {
    const { env, home } = place(t);
    let isAsked = false;
    await listening(t, home, {}, (socket) => {
      socket.on("error", () => undefined);
      isAsked = true;
    });
    const [input, pidFile] = ["input", "pid"].map((name) => path.join(home.folder, name));
    assert.ok(input !== undefined && pidFile !== undefined);
    writeFileSync(input, hook("PermissionRequest", { tool_name: "SendMessage" }));
    const line = `${process.execPath} ${hookProgram} --purser-hook=claude-code:PermissionRequest < ${input} & echo $! > ${pidFile}; read _`;
    const agent = spawn("/bin/sh", ["-c", line], { env });
    await waitUntil(() => isAsked);
    const pid = Number(readFileSync(pidFile, "utf8"));
    assert.ok(machine.isAlive(pid));
    agent.stdin.end();
    await waitUntil(() => !machine.isAlive(pid));
  });

  it("takes nothing for an answer that is not the service's", async (t) => {
    const { env, home } = place(t);
    await listening(t, home, {}, (socket) => {
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}");
    });
    silent(await run({ env, input: hook("SessionEnd") }));
    assert.equal(spooled(home.spool).length, 1);
  });

  it("delivers the start of an oversized input, or spools it without a service", async (t) => {
    const hooks = new TestHookService(t);
    hooks.answer = () => ({ permission: { decision: "deny", reason: "no room" } });
    await hooks.begin();
    const input = hook("PreToolUse", { tool_name: "Write", tool_input: { content: "x".repeat(20_000_000) } });
    const argument = "--purser-hook=claude-code:PreToolUse";
    const result = await run({ env: { PURSER_HOME: hooks.home.folder }, argument, input });
    assert.match(result.out, /"permissionDecision":"deny"/u);
    await waitUntil(() => hooks.recordedEntries.length === 1);
    const { env, home } = place(t);
    silent(await run({ env, input }));
    assert.match(JSON.stringify(spooled(home.spool)), /"event":"PreToolUse".*"tool":"Write"/u);
  });

  it("exits with success for any input and place", { timeout: 120_000 }, async (t) => {
    const { env, home, folder } = place(t);
    const closed = path.join(folder, "closed");
    mkdirSync(closed, { mode: 0o500 });
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const readOnly = { PURSER_HOME: path.join(closed, ".purser") };
    const environments = fc.constantFrom<Record<string, string>>(env, {}, { HOME: "" }, readOnly, {
      PURSER_HOME: file,
    });
    const inputs = fc.oneof(
      fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
      fc.json(),
      fc.nat(60).map((cut) => hook("SessionEnd").slice(0, cut)),
      fc.constant(hook("SessionEnd")),
      fc.constant(Buffer.alloc(9_000_000, "x")),
    );
    const places = fc.oneof(
      fc.constantFrom("", "{", "null", '{"hooks":"1","token":5}', '{"hooks":"/","token":"a b"}'),
      fc.json(),
    );
    await fc.assert(
      fc.asyncProperty(environments, inputs, places, async (where, input, text) => {
        writeFileSync(home.record, text, { mode: 0o600 });
        // Protects the user's own files: without a home the test's own replaces it.
        const safe = "PURSER_HOME" in where ? where : { ...where, PURSER_HOME: path.join(closed, "none") };
        silent(await run({ env: safe, input }));
      }),
      { numRuns: 15 },
    );
    chmodSync(closed, 0o700);
  });
});
