import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { at, eventsOf, malformed, nothing, read, readLine, time } from "../../support/read-rows.ts";

describe("a user's row", () => {
  const row = { type: "user", timestamp: time, sessionId: "s1" };
  const prompt = [{ kind: "prompt", at, text: "Find out why" }];
  const withContent = (content: unknown) => ({ ...row, message: { role: "user", content } });

  it("is a prompt", () => {
    assert.deepEqual(eventsOf(withContent("Find out why")), prompt);
    const blocks = [
      { type: "text", text: "Find out" },
      { type: "text", text: "why" },
    ];
    assert.deepEqual(eventsOf(withContent(blocks)), prompt);
    const picture = [{ kind: "prompt", at, text: "" }];
    assert.deepEqual(eventsOf(withContent([{ type: "image" }])), picture);
  });

  it("with a tool's result is not a prompt, nor is one that the agent wrote itself", () => {
    assert.deepEqual(eventsOf(withContent([{ type: "tool_result", tool_use_id: "t", content: "x" }])), []);
    assert.deepEqual(eventsOf({ ...withContent("Continue from where you left off."), isMeta: true }), []);
    assert.deepEqual(eventsOf({ ...withContent("Summary"), isCompactSummary: true }), []);
    for (const content of [undefined, null, 7, {}]) assert.deepEqual(eventsOf(withContent(content)), []);
    assert.deepEqual(eventsOf(row), []);
  });
});

describe("a system row", () => {
  const row = { type: "system", subtype: "compact_boundary", timestamp: time };
  const compaction = (compactMetadata: unknown) => eventsOf({ ...row, compactMetadata });

  it("reports a compaction", () => {
    const reported = { trigger: "auto", preTokens: 170_346, postTokens: 2700, durationMs: 100 };
    const expected = { trigger: "auto", preTokens: 170_346, postTokens: 2700, at };
    assert.deepEqual(compaction(reported), [{ kind: "compaction", compaction: expected }]);
  });

  it("reports an incomplete compaction as far as possible", () => {
    const unknown = { trigger: "unknown", preTokens: null, postTokens: null, at };
    for (const reported of [undefined, null, {}, { trigger: "new", preTokens: -1, postTokens: "many" }])
      assert.deepEqual(compaction(reported), [{ kind: "compaction", compaction: unknown }]);
  });

  it("reports a failed request, and ignores many other subtypes", () => {
    assert.deepEqual(eventsOf({ ...row, subtype: "api_error", retryAttempt: 1 }), [
      { kind: "api-error", at },
    ]);
    for (const subtype of ["turn_duration", "local_command", "new", undefined])
      assert.deepEqual(eventsOf({ ...row, subtype }), []);
  });
});

describe("rows of the newer generation only", () => {
  it("name the requested model", () => {
    const identity = { modelId: "claude-sonnet-4-6[1m]", marketingName: "Sonnet 4.6 (1M context)" };
    const expected = [{ kind: "model", requestedModel: "claude-sonnet-4-6[1m]" }];
    assert.deepEqual(eventsOf({ type: "attachment", attachment: { type: "model", identity } }), expected);
    for (const attachment of [
      undefined,
      null,
      { type: "date" },
      { type: "model" },
      { type: "model", identity: 7 },
    ])
      assert.deepEqual(eventsOf({ type: "attachment", attachment }), []);
  });

  it("report the remaining tokens that the agent announces to its model", () => {
    const note = (text: unknown) =>
      eventsOf({ type: "attachment", attachment: { type: "total_tokens_reminder", text } });
    assert.deepEqual(note("<total_tokens>146001 tokens left</total_tokens>"), [
      { kind: "tokens-note", left: 146_001 },
    ]);
    for (const text of ["<total_tokens>Infinite tokens left</total_tokens>", 7, undefined])
      assert.deepEqual(note(text), [{ kind: "tokens-note", left: null }]);
    const usage = { type: "token_usage", used: 5, total: 9, remaining: 4 };
    assert.deepEqual(eventsOf({ type: "attachment", attachment: usage }), [{ kind: "tokens-note", left: 4 }]);
  });

  it("report a request and its betas", () => {
    const betas = ["context-1m-2025-08-07", "x"];
    const params = { model: "claude-sonnet-4-6", betas, max_tokens: 32_000 };
    const request = { kind: "request", model: "claude-sonnet-4-6", betas };
    assert.deepEqual(eventsOf({ type: "api-request", params }), [request]);
    const without = { type: "api-request", params: { model: "claude-sonnet-4-6", betas: "x" } };
    assert.deepEqual(eventsOf(without), [{ ...request, betas: [] }]);
    assert.deepEqual(read({ type: "api-request" }), malformed);
  });

  it("report the agent's own total, by its own name for the model", () => {
    const total = {
      inputTokens: 61,
      outputTokens: 84,
      thinkingTokens: 7,
      cacheReadInputTokens: 20_833,
      cacheCreationInputTokens: 827,
      cacheCreationEphemeral5mInputTokens: 727,
      cacheCreationEphemeral1hInputTokens: 100,
      costUSD: 0.01,
    };
    const row = { type: "cost-state", totalCostUSD: 0.25, modelUsage: { "claude-sonnet-4-6[1m]": total } };
    const used = { input: 61, output: 84, cacheCreation5m: 727, cacheCreation1h: 100, cacheRead: 20_833 };
    const models = [{ model: "claude-sonnet-4-6[1m]", usage: used }];
    assert.deepEqual(eventsOf(row), [{ kind: "official-total", usd: 0.25, models }]);
    const bare = { type: "cost-state", totalCostUSD: 0.25, modelUsage: null };
    assert.deepEqual(eventsOf(bare), [{ kind: "official-total", usd: 0.25, models: [] }]);
    for (const usd of [undefined, -1, "0.25", null])
      assert.deepEqual(read({ ...row, totalCostUSD: usd }), malformed);
  });
});

describe("other rows", () => {
  it("report where the session works", () => {
    const row = { type: "mode", cwd: "/home/dev/harbor", gitBranch: "main", timestamp: time };
    const place = { kind: "place", cwd: "/home/dev/harbor", branch: "main" };
    assert.deepEqual(read(row), { outcome: "known", at, isSidechain: false, events: [place] });
    assert.deepEqual(eventsOf({ ...row, gitBranch: 7 }), [{ ...place, branch: null }]);
  });

  it("report whether they belong to a side conversation", () => {
    const sides = [true, false, null, undefined].map((isSidechain) => {
      const reading = read({ type: "user", isSidechain });
      return reading.outcome === "known" ? reading.isSidechain : assert.fail(reading.outcome);
    });
    assert.deepEqual(sides, [true, false, false, false]);
    assert.deepEqual(read({ type: "user", isSidechain: "yes" }), malformed);
  });

  it("report the session's title, but not a very long one", () => {
    for (const [row, title] of [
      [{ type: "custom-title", customTitle: "Tides" }, "Tides"],
      [{ type: "ai-title", aiTitle: "Tides" }, "Tides"],
      [{ type: "summary", summary: "Tides", leafUuid: "u" }, "Tides"],
      [{ type: "summary", summary: "x".repeat(5000) }, "x".repeat(1000)],
    ] as const)
      assert.deepEqual(eventsOf(row), [{ kind: "title", title }]);
    assert.deepEqual(eventsOf({ type: "ai-title" }), []);
  });

  const quiet =
    "agent-name api-request-blob api-request-shape atis-latch file-history-delta file-history-snapshot last-prompt " +
    "mode model_changed permission-mode pr-link queue-operation tag tools-used worktree-state";
  for (const type of quiet.split(" "))
    it(`of type ${type} are known, and yield nothing`, () => assert.deepEqual(read({ type }), nothing));

  it("of unknown types are counted by their type, however long it is", () => {
    assert.deepEqual(read({ type: "new-thing", text: "x" }), { outcome: "unknown", type: "new-thing" });
    assert.deepEqual(read({ type: "toString" }), { outcome: "unknown", type: "toString" });
    assert.deepEqual(read({ type: "__proto__" }), { outcome: "unknown", type: "__proto__" });
    assert.deepEqual(read({ type: "x".repeat(5000) }), { outcome: "unknown", type: "x".repeat(100) });
  });
});

describe("a line", () => {
  for (const text of ["", "\r", "  \t ", "\uFEFF"])
    it(`of ${JSON.stringify(text)} yields nothing`, () => assert.deepEqual(readLine(text), nothing));

  for (const text of [
    "{",
    '{"type":',
    "nonsense",
    "null",
    "7",
    '"text"',
    "[]",
    "{}",
    '{"type":7}',
    "\0\0\0\0",
    '{"a":1}{"b":2}',
  ])
    it(`of ${JSON.stringify(text)} is malformed`, () => assert.deepEqual(readLine(text), malformed));

  const row = { type: "assistant", message: { id: "msg_1", usage: { output_tokens: 5 } } };

  it("may begin with a byte order mark and end in a carriage return", () => {
    assert.deepEqual(readLine(`\uFEFF${JSON.stringify(row)}\r`), read(row));
  });

  it("may hold bytes that are not UTF-8", () => {
    const bytes = Buffer.concat([
      Buffer.from('{"type":"user","message":{"content":"'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"}}'),
    ]);
    assert.deepEqual(readLine(bytes), {
      outcome: "known",
      at: null,
      isSidechain: false,
      events: [{ kind: "prompt", at: null, text: "\uFFFD\uFFFD" }],
    });
  });

  it("may be nested to any depth", { timeout: 60_000 }, () => {
    const deep = "[".repeat(500_000) + "]".repeat(500_000);
    assert.equal(readLine(`{"type":"user","message":{"content":${deep}}}`).outcome, "known");
    assert.equal(readLine("[".repeat(500_000)).outcome, "malformed");
  });

  it("with a key that JavaScript itself uses changes nothing", () => {
    const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    const row = `{"__proto__":{"polluted":1},"constructor":1,"type":"cost-state","totalCostUSD":1,"modelUsage":{"__proto__":{}}}`;
    assert.notEqual(readLine(row).outcome, "unknown");
    assert.equal(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), before);
    assert.equal("polluted" in {}, false);
  });
});
