import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LiveChat } from "../../../../src/engine/transcripts/gemini/live-chat.ts";
import {
  accountOf,
  call,
  header,
  list,
  model,
  prompt,
  reply,
  result,
  sessionId,
  snapshot,
  timeAt,
} from "./chat-rows.ts";

const begun = [header(), prompt("p1", "Count the boats.")];

describe("a Gemini session as it grows", () => {
  it("has its folder, and its first prompt as its name until it has a summary", () => {
    const account = accountOf(begun);
    assert.deepEqual(
      [account.cwd, account.title, account.firstPrompt],
      ["/home/dev/harbor", null, "Count the boats."],
    );
    assert.equal(accountOf([...begun, { $set: { summary: "The harbor" } }]).title, "The harbor");
  });

  it("takes its folder from the header where the project's is unknown", () => {
    const chat = new LiveChat({ sessionId, agentId: null, cwd: null });
    const events = [header({ directories: ["/srv/harbor"] }), header({ directories: ["/other"] })].map(
      (row) => {
        const reading = chat.readRow(row);
        return reading.outcome === "known" ? reading.events : [];
      },
    );
    assert.deepEqual(events, [[{ kind: "place", cwd: "/srv/harbor", branch: null }], []]);
  });

  it("counts a response once, however often it is written", () => {
    const tokens = { input: 9001, cached: 4000, output: 51, thoughts: 21 };
    const again = reply("m1", tokens, { toolCalls: [call("c1")] });
    const account = accountOf([
      ...begun,
      reply("m1", tokens),
      again,
      result("r1", "c1"),
      again,
      list([prompt("p1", "x"), again]),
    ]);
    assert.deepEqual(account.own.usage(), {
      input: 5001,
      output: 72,
      cacheCreation5m: 0,
      cacheCreation1h: 0,
      cacheRead: 4000,
    });
    const { turns, prompts, last } = account.main;
    assert.deepEqual([turns, prompts, account.toolCalls.size, last?.model], [1, 1, 1, model]);
    assert.deepEqual([account.main.occupancy(), account.main.carried()], [9001, 9073]);
    assert.equal(account.lastActivity, Date.parse(timeAt(20)));
  });

  it("knows the window that the agent measures against", () => {
    const windowOf = (name: string) =>
      accountOf([...begun, reply("m1", { input: 5 }, { model: name })]).main.evidence()?.reported?.tokens;
    assert.equal(windowOf("gemini-2.5-flash-lite"), 1_048_576);
    assert.equal(windowOf("gemma-4-31b-it"), 256_000);
  });

  it("counts only a person's input as a prompt, once", () => {
    const account = accountOf([
      header(),
      list([prompt("c", "<session_context>\nToday.\n</session_context>")]),
      prompt("h", "<hook_context>Mind the tide.</hook_context>"),
      { ...prompt("p1", "<hook_context>Mind\nit.</hook_context>\n\nCount.") },
      {
        ...prompt("p2", "Count.\n--- Content from referenced files ---"),
        displayContent: [{ text: "Count @boats" }],
      },
      prompt("p2", "Count."),
      result("r1", "c1"),
      snapshot("s1"),
    ]);
    assert.deepEqual([account.main.prompts, account.firstPrompt], [2, "Count."]);
  });

  it("ends the turn with an answer or an error, not with a call", () => {
    const isEnded = (...rows: Parameters<typeof accountOf>[0]) => accountOf([...begun, ...rows]).main.ended;
    assert.equal(isEnded(reply("m1", { input: 5 })), true);
    assert.equal(isEnded(reply("m1", { input: 5 }, { content: "" })), false);
    assert.equal(isEnded(reply("m1", { input: 5 }, { toolCalls: [call("c1")] })), false);
    assert.equal(isEnded({ id: "e1", timestamp: timeAt(3), type: "error", content: "No answer." }), true);
    assert.equal(isEnded({ id: "i1", timestamp: timeAt(3), type: "info", content: "Noted." }), false);
  });

  it("knows no size after a compression until the next reply, and that during a turn the agent itself began it", () => {
    const working = [...begun, reply("m1", { input: 600_000, output: 33 }, { toolCalls: [call("c1")] })];
    const compressed = [
      ...working,
      { $set: { sessionId } },
      list([
        prompt("p0", "<session_context></session_context>"),
        snapshot("s1"),
        { id: "k1", type: "gemini", content: "Got it." },
      ]),
    ];
    const account = accountOf(compressed);
    assert.deepEqual([account.main.occupancy(), account.main.carried()], [null, null]);
    const at = Date.parse(timeAt(20));
    assert.deepEqual(
      account.main.compactions.map(({ compaction }) => compaction),
      [{ trigger: "auto", preTokens: 600_000, postTokens: null, at }],
    );
    const later = [result("r1", "c1"), reply("m2", { input: 5003 })];
    assert.equal(accountOf([...compressed, ...later]).main.occupancy(), 5003);
    const resumed = [
      header(),
      list([snapshot("s1")]),
      list([snapshot("s1"), result("r1", "c1"), reply("m2", { input: 5003 })]),
    ];
    const { main } = accountOf([...compressed, ...later, ...resumed]);
    assert.deepEqual([main.occupancy(), main.compactions.length, main.turns], [5003, 1, 2]);
  });

  it("does not know who began a compression between turns", () => {
    const account = accountOf([...begun, reply("m1", { input: 700 }), list([snapshot("s1")])]);
    assert.deepEqual(
      account.main.compactions.map(({ compaction }) => compaction.trigger),
      ["unknown"],
    );
    const never = accountOf([...begun, list([snapshot("s1")])]);
    assert.deepEqual(
      never.main.compactions.map(({ compaction }) => compaction.preTokens),
      [null],
    );
  });

  it("shrinks when messages are taken back: by a rewind, an abort, an error", () => {
    const first = [...begun, reply("m1", { input: 100, output: 7 })];
    const second = [prompt("p2", "And the oars?"), reply("m2", { input: 900 }, { toolCalls: [call("c1")] })];
    const kept = [prompt("p1", "Count the boats."), reply("m1", { input: 100, output: 7 })];
    for (const back of [{ $rewindTo: "p2" }, list(kept)]) {
      const { main, own } = accountOf([...first, ...second, back]);
      assert.deepEqual([main.occupancy(), main.ended, main.turns, own.usage().input], [100, true, 2, 1000]);
      const next = accountOf([
        ...first,
        ...second,
        back,
        prompt("p3", "Again."),
        reply("m3", { input: 120 }),
      ]);
      assert.deepEqual([next.main.occupancy(), next.main.compactions.length], [120, 0]);
    }
    const failed = accountOf([...first, prompt("p2", "And the oars?"), list(kept)]).main;
    assert.deepEqual([failed.occupancy(), failed.carried(), failed.ended], [100, 107, true]);
  });

  it("shrinks after a resume, which lists old responses without their tokens", () => {
    const plain = (id: string) => ({ id, timestamp: timeAt(2), type: "gemini", content: "Said." });
    const resumed = [header(), list([]), list([prompt("p1", "Count."), plain("m1")])];
    const rows = [
      ...begun,
      reply("m1", { input: 100 }),
      ...resumed,
      prompt("p2", "x"),
      reply("m2", { input: 900 }),
    ];
    assert.equal(accountOf(rows).main.occupancy(), 900);
    assert.equal(accountOf([...rows, { $rewindTo: "p2" }]).main.occupancy(), 100);
  });

  it("takes everything back on a rewind to a missing message, as the agent does", () => {
    const rows = [...begun, reply("m1", { input: 100 }), { $rewindTo: "lost" }, reply("m2", { input: 30 })];
    assert.equal(accountOf(rows).main.occupancy(), 30);
  });

  it("reads a subagent's own file, and in the session's file its type and its end", () => {
    const agentId = "a1";
    const account = accountOf([...begun, reply("m1", { input: 50 })]);
    const own = [
      header({ sessionId: agentId, kind: "subagent", directories: ["/home/dev/harbor"] }),
      prompt("q1", "Measure the coast."),
      reply("n1", { input: 7101, output: 31 }, { toolCalls: [call("x1")] }),
    ];
    accountOf(own, { agentId, account });
    const subagent = account.subagents.get(agentId);
    assert.deepEqual(subagent?.facts, { type: null, description: "Measure the coast.", finished: null });
    assert.deepEqual(
      [subagent.chain.occupancy(), account.main.occupancy(), account.main.prompts],
      [7101, 50, 1],
    );
    const args = { agent_name: "generalist", prompt: "Measure the coast." };
    accountOf(
      [reply("m1", { input: 50 }, { toolCalls: [call("i1", { name: "invoke_agent", agentId, args })] })],
      { account },
    );
    assert.deepEqual(account.subagents.get(agentId)?.facts, {
      type: "generalist",
      description: "Measure the coast.",
      finished: true,
    });
    assert.deepEqual([account.toolCalls.size, account.own.usage().input], [2, 7151]);
  });

  it("recognises the end of a subagent by its last call, or its summary", () => {
    const done = call("x1", { name: "complete_task" });
    for (const row of [
      reply("n1", { input: 5 }, { toolCalls: [done] }),
      { $set: { summary: "Nine miles." } },
    ]) {
      const account = accountOf([prompt("q1", "Measure."), row], { agentId: "a1" });
      const subagent = account.subagents.get("a1");
      assert.deepEqual([subagent?.facts.finished, subagent?.chain.ended, account.title], [true, true, null]);
    }
    const failed = { ...done, status: "error" };
    const open = accountOf([reply("n1", { input: 5 }, { toolCalls: [failed] })], { agentId: "a1" });
    assert.equal(open.subagents.get("a1")?.facts.finished, null);
  });

  it("counts unreadable lines by kind", () => {
    const { skipped } = accountOf([header(), "{", "5", "", { type: "novelty" }, reply("m1", { input: -1 })]);
    assert.deepEqual(
      [...skipped],
      [
        ["malformed", 3],
        ["novelty", 1],
      ],
    );
  });
});
