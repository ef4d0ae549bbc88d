import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readHook, isNamed } from "../../../../src/engine/hooks/event/event.ts";
import { defaultHookContext, type HookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import type { HookAnswer } from "../../../../src/engine/hooks/event/hooks-answer.ts";
import {
  MessageGate,
  type HeldMessage,
  type MessagePorts,
  type QuestionEntry,
  messageQuestion,
  shownMessage,
} from "../../../../src/engine/hooks/messages/gate.ts";
import { toolCallOf } from "../../../../src/engine/hooks/event/tool-call.ts";
import { Restarts } from "../../guard/support/restarts.ts";
import { questionEntry } from "../../../../src/engine/ledger/entries/rule-entries.ts";

const inTeam: HookContext = { ...defaultHookContext, hasTeams: true };
const tool = { tool_name: "SendMessage", tool_use_id: "toolu_1" };
/** The tool input as Claude Code 2.1.330 sends it. */
const sent = {
  to: "backend",
  summary: "ask port",
  message: "Which port?",
  type: "message",
  recipient: "backend",
};

interface Scene {
  readonly mode?: ReturnType<MessagePorts["mode"]>;
  readonly decide?: "allow" | "deny" | null;
}

function scene({ mode = "ask", decide = null }: Scene = {}) {
  const entries: QuestionEntry[] = [];
  const asked: HeldMessage[] = [];
  const settled: string[] = [];
  const time = { now: 7 };
  const kept = new Restarts(
    (memory) =>
      new MessageGate({
        memory,
        mode: () => mode,
        now: () => time.now,
        windows: {
          ask: (message) => {
            asked.push(message);
            return Promise.resolve(decide);
          },
          settle: (id, outcome) => void settled.push(`${id} ${outcome}`),
        },
        record: (entry) => void entries.push(entry),
      }),
  );
  const say = async (name: string, more: object, about = inTeam): Promise<HookAnswer | null> => {
    const read = readHook({ session_id: "s-1", cwd: "/argo", hook_event_name: name, ...more });
    const event = read?.event ?? null;
    assert.ok(event !== null);
    const gate = kept.handlers;
    if (isNamed(event, gate.quick.events)) return await gate.quick.answer(event, about);
    assert.ok(isNamed(event, gate.waiting.events));
    return await gate.waiting.answer(event, about);
  };
  const statuses = () => entries.map(({ status }) => status);
  /** Restarts the service. */
  const restart = () => kept.restart();
  const held = () => kept.handlers.held().map(({ id }) => id);
  return { say, entries, asked, settled, statuses, restart, held, time };
}

const question = '[main → backend] "Which port?" — approve?';

describe("a message between agents of a team", () => {
  it("is held, with the question in the agent's own prompt, and is in the ledger", async () => {
    const { say, entries } = scene();
    const answer = await say("PreToolUse", { ...tool, tool_input: sent });
    assert.deepEqual(answer, { permission: { decision: "ask", reason: question }, rule: "message" });
    assert.deepEqual(entries, [
      {
        kind: "question",
        id: "message:toolu_1",
        sessionId: "s-1",
        agent: "main",
        toAgent: "backend",
        at: 7,
        body: "Which port?",
        chars: 11,
        status: "pending",
        answeredAt: null,
      },
    ]);
  });

  it("is approved once it was sent, and else stays pending", async () => {
    const { say, statuses, settled, entries } = scene();
    await say("PreToolUse", { ...tool, tool_input: sent });
    await say("PreToolUse", { ...tool, tool_use_id: "toolu_2", tool_input: sent });
    await say("PostToolUse", { ...tool, tool_input: sent, tool_response: { success: true } });
    assert.deepEqual(statuses(), ["pending", "pending", "approved"]);
    assert.equal(entries.at(-1)?.answeredAt, 7);
    assert.deepEqual(settled, ["message:toolu_1 approved"]);
    // A repeated hook changes nothing.
    await say("PostToolUse", { ...tool, tool_input: sent, tool_response: { success: true } });
    assert.equal(statuses().length, 3);
  });

  it("is unsent if the tool reports so, and denied if the agent reports so", async () => {
    const { say, statuses, settled } = scene();
    await say("PreToolUse", { ...tool, tool_input: sent });
    await say("PostToolUse", { ...tool, tool_input: sent, tool_response: { success: false } });
    await say("PreToolUse", { ...tool, tool_input: sent });
    await say("PermissionDenied", { ...tool, tool_input: sent });
    assert.deepEqual(statuses(), ["pending", "failed", "pending", "denied"]);
    assert.deepEqual(settled, ["message:toolu_1 approved", "message:toolu_1 denied"]);
  });

  it("may be approved or denied in a window while the agent asks", async () => {
    const allowed = scene({ decide: "allow" });
    await allowed.say("PreToolUse", { ...tool, tool_input: sent });
    const yes = await allowed.say("PermissionRequest", { tool_name: "SendMessage", tool_input: sent });
    assert.equal(yes?.permission?.decision, "allow");
    assert.deepEqual(
      allowed.asked.map(({ from, to, text, cwd }) => [from, to, text, cwd]),
      [["main", "backend", "Which port?", "/argo"]],
    );
    const denied = scene({ decide: "deny" });
    await denied.say("PreToolUse", { ...tool, tool_input: sent });
    const no = await denied.say("PermissionRequest", { tool_name: "SendMessage", tool_input: sent });
    assert.deepEqual(no?.permission, {
      decision: "deny",
      reason: "The user does not want main to send this to backend",
    });
    assert.deepEqual(denied.statuses(), ["pending", "denied"]);
    const nobody = scene();
    await nobody.say("PreToolUse", { ...tool, tool_input: sent });
    assert.equal(await nobody.say("PermissionRequest", { tool_name: "SendMessage", tool_input: sent }), null);
  });

  it("is refused if its agent continued without sending it, but not if another did", async () => {
    const { say, statuses, settled, held } = scene();
    const inside = { agent_id: "a1", agent_type: "Plan" };
    await say("PreToolUse", { ...tool, tool_input: sent });
    await say("PreToolUse", { ...tool, tool_use_id: "toolu_2", tool_input: sent, ...inside });
    assert.deepEqual(held(), ["message:toolu_1", "message:toolu_2"]);
    await say("SubagentStop", { agent_id: "a2" });
    assert.equal(held().length, 2);
    await say("Stop", {});
    assert.deepEqual([held(), statuses().at(-1)], [["message:toolu_2"], "denied"]);
    await say("SubagentStop", inside);
    assert.deepEqual([held(), settled.length], [[], 2]);
    await say("PreToolUse", { ...tool, tool_use_id: "toolu_3", tool_input: sent, ...inside });
    await say("SessionEnd", {});
    assert.deepEqual([held(), statuses().length], [[], 6]);
  });

  it("is held over a restart of the service, with its state: it can still be approved, sent or refused", async () => {
    const { say, statuses, asked, restart, held, entries } = scene({ decide: "allow" });
    await say("PreToolUse", { ...tool, tool_input: sent });
    restart();
    assert.deepEqual(held(), ["message:toolu_1"]);
    const yes = await say("PermissionRequest", { tool_name: "SendMessage", tool_input: sent });
    assert.equal(yes?.permission?.decision, "allow");
    assert.deepEqual(
      asked.map(({ id, text, from }) => [id, text, from]),
      [["message:toolu_1", "Which port?", "main"]],
    );
    restart();
    assert.deepEqual(held(), [], "nobody waits for what was approved");
    await say("PostToolUse", { ...tool, tool_input: sent, tool_response: { success: true } });
    assert.deepEqual([statuses(), entries.length], [["pending", "approved"], 2]);
    restart();
    await say("PostToolUse", { ...tool, tool_input: sent, tool_response: { success: true } });
    assert.equal(entries.length, 2);
  });

  it("is not shown as held for days on end: its agent was killed", async () => {
    const { say, held, time } = scene();
    await say("PreToolUse", { ...tool, tool_input: sent });
    time.now += 23 * 60 * 60_000;
    assert.equal(held().length, 1);
    time.now += 2 * 60 * 60_000;
    assert.deepEqual(held(), []);
  });

  it("names agents by their own names, over restarts", async () => {
    const { say, restart } = scene();
    await say("PreToolUse", { tool_name: "Agent", tool_input: { subagent_type: "Plan", name: "frontend" } });
    restart();
    await say("SubagentStart", { agent_id: "a1", agent_type: "Plan" });
    restart();
    const reasonOf = async (more: object) =>
      (await say("PreToolUse", { ...tool, tool_input: sent, ...more }))?.permission?.reason;
    assert.match((await reasonOf({ agent_id: "a1", agent_type: "Plan" })) ?? "", /^\[frontend → backend\]/u);
    assert.match((await reasonOf({ agent_id: "a2", agent_type: "Plan" })) ?? "", /^\[Plan → backend\]/u);
    assert.match((await reasonOf({ agent_id: "oars@fleet" })) ?? "", /^\[oars → backend\]/u);
    const back = await reasonOf({ tool_input: { to: "a1", message: "Done" } });
    assert.equal(back, '[main → frontend] "Done" — approve?');
  });
});

describe("a message that is not held", () => {
  const passes = async (reported: ReturnType<typeof scene>, more: object = {}, about = inTeam) =>
    assert.equal(await reported.say("PreToolUse", { ...tool, tool_input: sent, ...more }, about), null);

  it("is not held outside a team, or with questions off, and leaves no record", async () => {
    const alone = scene();
    await passes(alone, {}, defaultHookContext);
    const off = scene({ mode: "off" });
    await passes(off);
    const other = scene();
    await passes(other, { tool_name: "Bash" });
    await passes(other, { tool_input: { to: "backend", message: { type: "shutdown_request" } } });
    await passes(other, { tool_input: "text" });
    for (const { entries } of [alone, off, other]) assert.deepEqual(entries, []);
  });

  it("in an unattended session is recorded as sent", async () => {
    for (const [more, about] of [
      [{}, { ...inTeam, isAttended: false }],
      [{ permission_mode: "dontAsk" }, inTeam],
    ] as const) {
      const reported = scene({ decide: "allow" });
      await passes(reported, more, about);
      assert.equal(
        await reported.say("PermissionRequest", { tool_name: "SendMessage", tool_input: sent }),
        null,
      );
      await reported.say("PostToolUse", { ...tool, tool_input: sent, tool_response: { success: true } });
      assert.deepEqual(reported.statuses(), ["pending", "sent"]);
      assert.deepEqual(reported.settled, []);
    }
  });
});

it("Whatever an agent writes, the question is one harmless line, and the ledger takes it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", maxLength: 3000 }),
      fc.string({ unit: "binary", minLength: 1, maxLength: 300 }),
      fc.option(fc.string({ unit: "binary", maxLength: 300 }), { nil: undefined }),
      async (message, to, type) => {
        const { say, entries } = scene();
        const more = type === undefined ? {} : { agent_id: "a1", agent_type: type };
        const answer = await say("PreToolUse", { ...tool, tool_input: { to, message }, ...more });
        const reason = answer?.permission?.reason ?? "";
        assert.match(reason, /^\[[^\n]+ → [^\n]+\] "[^\n]*" — approve\?$/u);
        assert.doesNotMatch(reason, /[\p{Cc}\p{Cf}]/u);
        for (const entry of entries) assert.ok(questionEntry.safeParse(entry).success);
        assert.equal(entries[0]?.chars, message.length);
      },
    ),
  );
});

it("Other calls are not messages", () => {
  fc.assert(
    fc.property(fc.anything(), (input) => {
      const call = toolCallOf({ tool_name: "SendMessage", tool_input: input });
      assert.equal(call.kind, "message");
      if (call.message !== null) assert.ok(messageQuestion("a", shownMessage(call.message)).length < 1000);
    }),
  );
});
