import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { callGuardHandler } from "../../../../src/engine/guard/calls/calls-handler.ts";
import { judgeBy } from "../../../../src/engine/guard/catalogue/judge-all.ts";
import { SentAdvice } from "../../../../src/engine/guard/delivery.ts";
import { emptyConfig } from "../../../../src/engine/guard/user-rules/config.ts";
import type { HookAnswer } from "../../../../src/engine/hooks/event/hooks-answer.ts";
import { defaultHookContext, type HookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { GuardFamily, GuardMode } from "../../../../src/engine/settings/guard.ts";
import { testContext } from "../support/shell-context.ts";

const judge = judgeBy(emptyConfig);

function guard(
  modes: Partial<Record<GuardFamily, GuardMode>> & {
    readonly usual: GuardMode;
    /** Whether the session's draw lets all families only observe. */
    readonly inTrial?: boolean;
  },
  isSilent: (rule: string) => boolean = () => false,
) {
  const recorded: LedgerEntry[] = [];
  const modeOf = (family: GuardFamily, _folder: string | null, session: string | null): GuardMode =>
    session !== null && modes.inTrial === true ? "observe" : (modes[family] ?? modes.usual);
  const handler = callGuardHandler({
    judge: (call, context) => judge(call, context, 1000),
    modeOf,
    isOn: () => modes.usual !== "off",
    contextOf: () => testContext,
    record: (entries) => recorded.push(...entries),
    sent: new SentAdvice(new SessionMemory()),
    isSilent,
    now: () => 1000,
  });
  const call = async (
    command: string,
    about: Partial<HookContext> = {},
    name: "PreToolUse" | "PreSkillShellCommand" = "PreToolUse",
  ): Promise<HookAnswer | null> =>
    handler.answer(
      {
        hook_event_name: name,
        session_id: "s",
        tool_use_id: `call ${recorded.length}`,
        cwd: "/home/ann/shop",
        tool_name: "Bash",
        tool_input: { command },
      },
      { ...defaultHookContext, ...about },
    );
  return { call, recorded, handler };
}

const done = (recorded: readonly LedgerEntry[]) =>
  recorded.map((entry) => (entry.kind === "guard-hit" ? `${entry.rule} ${entry.done}` : entry.kind));

test("rules that observe answer nothing and record what they would do", async () => {
  const { call, recorded } = guard({ usual: "observe" });
  assert.equal(await call("rm -rf ~"), null);
  assert.equal(await call("ls"), null);
  assert.deepEqual(done(recorded), ["delete-home observed"]);
});

test("in a session that only observes for a trial, advice is withheld, and no question", async () => {
  const { call, recorded } = guard({ usual: "on", inTrial: true });
  assert.equal((await call("rm -rf ~"))?.permission?.decision, "ask");
  assert.equal(await call("tail -f app.log"), null);
  assert.deepEqual(done(recorded), ["delete-home asked", "follow-file-forever observed"]);
});

test("rules that are off do not answer or record", async () => {
  const { call, recorded } = guard({ usual: "off" });
  assert.equal(await call("rm -rf ~"), null);
  assert.deepEqual(recorded, []);
});

test("a rule on safety asks the user, each time, and says what to do instead", async () => {
  const { call, recorded } = guard({ usual: "on" });
  const answer = await call("rm -rf ~");
  assert.equal(answer?.permission?.decision, "ask");
  assert.match(answer.permission.reason, /delete-home.*whole home folder.*Name the folder/u);
  assert.equal((await call("rm -rf ~"))?.permission?.decision, "ask");
  assert.deepEqual(done(recorded), ["delete-home asked", "delete-home asked"]);
});

test("a skill's command is denied where a call gets a question or denial, and never gets advice", async () => {
  const { call, recorded } = guard({ usual: "on" });
  for (const isAttended of [true, false]) {
    const answer = await call(
      "git reset --hard HEAD~1 && git clean -fdx",
      { isAttended },
      "PreSkillShellCommand",
    );
    assert.equal(answer?.permission?.decision, "deny");
  }
  assert.ok(done(recorded).every((each) => each.endsWith(" denied")));
  assert.equal(await call("cat huge.log", {}, "PreSkillShellCommand"), null);
  assert.equal(await call("ls", {}, "PreSkillShellCommand"), null);
});

test("denies if no person can answer, or the agent takes no question", async () => {
  const { call } = guard({ usual: "on" });
  assert.equal((await call("rm -rf ~", { isAttended: false }))?.permission?.decision, "deny");
  assert.equal((await call("rm -rf ~", { program: "codex" }))?.permission?.decision, "deny");
});

test("a command line that cannot be parsed is never denied", async () => {
  const { call, recorded } = guard({ usual: "on" });
  const answer = await call("rm -rf ~ (", { isAttended: false });
  assert.equal(answer?.permission, undefined);
  assert.match(answer?.context ?? "", /whole home folder/u);
  assert.deepEqual(done(recorded), ["delete-home advised"]);
});

test("a command before the line that cannot be parsed is denied: a shell runs it", async () => {
  const { call } = guard({ usual: "on" });
  for (const command of ["rm -rf ~\nls (", "cd src\nrm -rf ~\nif true; then\n  ls )\n"])
    assert.equal((await call(command, { isAttended: false }))?.permission?.decision, "deny", command);
});

test("advice is given once for each rule and session", async () => {
  const { call, recorded } = guard({ usual: "on" });
  assert.match((await call("rm -rf /opt/app/data"))?.context ?? "", /outside the project/u);
  assert.equal(await call("rm -rf /opt/app/other"), null);
  assert.deepEqual(done(recorded), ["delete-outside-project advised", "delete-outside-project repeated"]);
});

test("a family's own mode counts before the mode of all", async () => {
  const { call, recorded } = guard({ usual: "observe", safety: "on", protect: "off" });
  assert.equal((await call("rm -rf ~"))?.permission?.decision, "ask");
  assert.equal(await call("rm -rf /opt/app/data"), null);
  assert.deepEqual(done(recorded), ["delete-home asked"]);
});

test("what looks like a secret is not recorded", async () => {
  const { call, recorded } = guard({ usual: "observe" });
  await call(`rm -rf ~ --token=sk-ant-${"a1b2c3d4".repeat(5)}`);
  const [entry] = recorded;
  assert.ok(entry?.kind === "guard-hit");
  assert.doesNotMatch(entry.excerpt ?? "", /a1b2c3d4/u);
});

test("only advice becomes silent: questions, denials, and advice in their place do not", async () => {
  const { call, recorded } = guard({ usual: "on" }, () => true);
  assert.equal(await call("rm -rf /opt/app/data"), null);
  assert.equal((await call("rm -rf ~"))?.permission?.decision, "ask");
  assert.equal((await call("rm -rf ~", { isAttended: false }))?.permission?.decision, "deny");
  assert.match((await call("rm -rf ~ (", { isAttended: false }))?.context ?? "", /whole home folder/u);
  assert.deepEqual(done(recorded), [
    "delete-outside-project silent",
    "delete-home asked",
    "delete-home denied",
    "delete-home advised",
  ]);
});

test("asks about a call whose input was too long to be read, if the tool is one that rules judge", async () => {
  const event = { hook_event_name: "PreToolUse", session_id: "s", tool_use_id: "t" } as const;
  for (const [tool, decision] of [
    ["Bash", "ask"],
    ["Write", "ask"],
    [undefined, "ask"],
    ["WebSearch", undefined],
  ] as const) {
    const { handler, recorded } = guard({ usual: "on" });
    const answer = await handler.answer({ ...event, tool_name: tool }, defaultHookContext);
    assert.equal(answer?.permission?.decision, decision);
    assert.deepEqual(done(recorded), decision === undefined ? [] : ["not-judged asked"]);
  }
  assert.equal(
    await guard({ usual: "observe" }).handler.answer({ ...event, tool_name: "Bash" }, defaultHookContext),
    null,
  );
});

test("asks about a call that was not judged in time if rules that protect are on, and records it", () => {
  const event = {
    hook_event_name: "PreToolUse",
    session_id: "s",
    tool_use_id: "t",
    tool_name: "Bash",
  } as const;
  const tool_input = { command: "rm -rf ~" };
  const skill = { hook_event_name: "PreSkillShellCommand", tool_name: "Bash", session_id: "s" } as const;
  const onlyWaste = { usual: "observe", waste: "on" } as const;
  for (const [modes, about, expected] of [
    [{ usual: "on" }, {}, ["ask", "asked"]],
    [{ usual: "observe", secrets: "on" }, { program: "vscode" }, ["ask", "asked"]],
    [{ usual: "on" }, { isAttended: false }, ["deny", "denied"]],
    [{ usual: "on" }, { program: "codex" }, ["deny", "denied"]],
    [{ usual: "on" }, { program: "copilot" }, ["deny", "denied"]],
    [{ usual: "on" }, { program: "gemini" }, ["deny", "denied"]],
    [{ usual: "on" }, { event: skill }, ["deny", "denied"]],
    [onlyWaste, {}, [undefined]],
    [{ usual: "observe" }, {}, [undefined]],
    [{ usual: "off" }, {}, [undefined]],
  ] as const) {
    const { handler, recorded } = guard(modes);
    const context = { ...defaultHookContext, ...about };
    const base = "event" in about ? about.event : event;
    const answer = handler.missed?.({ ...base, tool_input }, context);
    assert.equal(handler.missed?.({ ...base, tool_name: "WebSearch", tool_input }, context), null);
    const [decision, ...outcomes] = expected;
    assert.equal(answer?.permission?.decision, decision);
    assert.deepEqual(
      done(recorded),
      outcomes.map((outcome) => `not-judged ${outcome}`),
    );
  }
  const reason = guard({ usual: "on" }).handler.missed?.({ ...event, tool_input }, defaultHookContext);
  assert.match(reason?.permission?.reason ?? "", /was not checked.*`purser service restart`/u);
});
