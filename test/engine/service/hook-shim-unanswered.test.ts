import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { noteLate } from "../../../src/engine/service/launch/start-for-hook.ts";
import { judgeUnanswered, type Unanswered } from "../../../src/engine/guard/unanswered.ts";
import { hook } from "./support/hooks.ts";
import { listening, place, run, silent, spooled } from "./support/run-shim.ts";

const worker = path.join(import.meta.dirname, "../../../src/engine/guard/host/call-worker.ts");
const forms = [
  { program: "claude-code", event: "PreToolUse", tool: "Bash" },
  { program: "codex", event: "PreToolUse", tool: "Bash" },
  { program: "copilot", event: "PreToolUse", tool: "bash" },
  { program: "gemini", event: "BeforeTool", tool: "run_shell_command" },
] as const;

function inputOf({ event, tool }: (typeof forms)[number], command: string): string {
  return hook(event, { tool_name: tool, tool_input: { command }, cwd: "/", tool_use_id: "t-1" });
}

/** A place where guard rules act, unless other settings are given. */
function guarded(t: TestContext, settings: unknown = { guardMode: "on" }) {
  const where = place(t);
  writeFileSync(where.home.settings, JSON.stringify(settings));
  return where;
}

/** On a busy machine the call is not judged in time here either. */
const stopped = {
  "claude-code": /"permissionDecision":"ask".*\((?:delete-home|not-judged)\)/u,
  codex: /^\{"decision":"block","reason":"[^"]*\((?:delete-home|not-judged)\)/u,
  copilot: /^\{"permissionDecision":"deny".*\((?:delete-home|not-judged)\)/u,
  gemini: /^\{"decision":"deny","reason":"[^"]*\((?:delete-home|not-judged)\)/u,
};

describe("a call that no service answers", { concurrency: 2, skip: process.platform === "win32" }, () => {
  it("is judged by the hook's program if the service hangs, in each agent's format", async (t) => {
    const { env, home } = guarded(t);
    await listening(t, home, {}, (socket) => socket.on("error", () => undefined));
    const runs = forms.map(async (form) => {
      const argument = `--purser-hook=${form.program}:${form.event}`;
      const { out, code, err } = await run({ env, argument, input: inputOf(form, "rm -rf ~") });
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, stopped[form.program]);
    });
    await Promise.all(runs);
    const calls = spooled(home.spool).filter((each) => /"hook-event"/u.test(JSON.stringify(each)));
    assert.equal(calls.length, 4);
  });

  it("is judged if a started service died, or did not start in time", async (t) => {
    for (const begin of [noteStart, noteLate]) {
      const { env, home } = guarded(t);
      begin(home);
      const argument = "--purser-hook=claude-code:PreToolUse";
      const { out } = await run({ env, argument, input: inputOf(forms[0], "rm -rf ~") });
      assert.match(out, /"permissionDecision":"ask"/u);
      assert.equal(existsSync(home.log), false, "none is begun so soon after the last one");
      const [event, hit] = spooled(home.spool);
      assert.partialDeepStrictEqual(event, { kind: "hook-event", outcome: "ask", tool: "Bash" });
      assert.partialDeepStrictEqual(hit, { kind: "guard-hit", done: "asked" });
    }
  });

  it("passes where guard rules only observe, as any other hook does", async (t) => {
    const { env, home } = guarded(t, { guardMode: "observe" });
    noteLate(home);
    const argument = "--purser-hook=claude-code:PreToolUse";
    silent(await run({ env, argument, input: inputOf(forms[0], "rm -rf ~") }));
    const { env: other, home: elsewhere } = guarded(t);
    noteLate(elsewhere);
    const prompt = hook("UserPromptSubmit", { prompt: "rm -rf ~" });
    silent(await run({ env: other, argument: "--purser-hook=claude-code:UserPromptSubmit", input: prompt }));
  });
});

describe("the judgement of a call without a service", () => {
  const never = new Promise<null>(() => undefined);
  const judged = (
    t: TestContext,
    {
      settings,
      command = "rm -rf ~",
      ...more
    }: Partial<Unanswered> & { settings?: unknown; command?: string },
  ) => {
    const { home, folder: userHome } = guarded(t, settings);
    const input: unknown = JSON.parse(inputOf(forms[0], command));
    const usual = { caller: "claude-code", entry: "cli", temporary: "/tmp", program: worker } as const;
    return judgeUnanswered({ home, userHome, input, isOver: never, ...usual, ...more });
  };
  const outcome = async (...asked: Parameters<typeof judged>) => (await judged(...asked))?.outcome ?? null;

  it("matches the service's decision, but without advice", async (t) => {
    assert.equal(await outcome(t, {}), "ask");
    assert.equal(await outcome(t, { command: "ls" }), "none");
    assert.equal(await outcome(t, { command: "cat a | cat" }), "none");
    assert.equal(await outcome(t, { entry: "sdk-cli" }), "deny");
    assert.equal(await outcome(t, { settings: { guardFamilies: { safety: "on" } } }), "ask");
    assert.equal(await outcome(t, { settings: "torn" }), "ask");
    assert.equal(await outcome(t, { settings: { guardMode: "off" } }), null);
    assert.equal(await outcome(t, { input: { hook_event_name: "PostToolUse", session_id: "s" } }), null);
    assert.equal(await outcome(t, { input: null }), null);
  });

  it("is a question where the call cannot be judged here in time, or at all", async (t) => {
    const isOver = Promise.resolve(null);
    for (const more of [{ isOver }, { program: path.join(import.meta.dirname, "none.ts") }]) {
      const done = await judged(t, { ...more, command: "ls" });
      assert.equal(done?.outcome, "ask");
      assert.match(done.text, /was not checked.*purser service restart/u);
      assert.deepEqual(
        done.hits.map(({ rule, done: deed }) => [rule, deed]),
        [["not-judged-alone", "asked"]],
      );
    }
    assert.equal(await outcome(t, { isOver, settings: { guardFamilies: { waste: "on" } } }), "none");
  });
});

/** Notes a start of a service that has died since. */
function noteStart({ folder }: { readonly folder: string }): void {
  writeFileSync(path.join(folder, "hook-start"), "");
}
