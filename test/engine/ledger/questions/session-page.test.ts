import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { sessionPage as pageSchema } from "../../../../src/engine/ledger/ledger-answers.ts";
import { scaledFill } from "../../../../src/engine/ledger/questions/session-page.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, response, appendEntries } from "../support/support.ts";

const basis = { catalogue: builtInCatalogue, dayOf: localDays() };

test("A session's page has its turns, the window's content, compactions, subagents, runs and waste", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const sessionId = "session-1";
  const usage = { ...noUsage, input: 1, cacheRead: 999, output: 5 };
  const run = { kind: "run", sessionId, agent: "main", completed: true, output: 5, cacheRead: 999 } as const;
  const noTokens = { input: 1, cacheCreation: 0 };
  await appendEntries(
    ledger,
    { kind: "session", id: sessionId, program: "claude-code", cwd: "/a", officialUsd: 1 },
    { kind: "subagent", sessionId, agentId: "a1", type: "Explore", description: "Look around" },
    response(2, { agentId: "a1", usage }),
    response(1, { usage }),
    response(3, { agentId: "a2", model: "nobody-knows", usage }),
    response(4, { sessionId: "another" }),
    { kind: "tool-call", id: "t1", sessionId, messageId: "msg_1", tool: "Read", resultChars: 7 },
    { kind: "tool-call", id: "t2", sessionId, messageId: "msg_1", tool: "Bash" },
    {
      kind: "context-fill",
      id: "r1",
      sessionId,
      messageId: "msg_1",
      at: 1,
      parts: '{"system":1,"tools":1,"user":1}',
    },
    { kind: "context-fill", id: "r2", sessionId, messageId: "msg_2", at: 1, parts: "no JSON" },
    {
      kind: "compaction",
      id: "c1",
      sessionId,
      at: 5,
      trigger: "auto",
      isSidechain: false,
      longContext: false,
      preTokens: 9,
    },
    { ...run, ...noTokens, id: `${sessionId}:msg_1`, startedAt: 2, endedAt: 4 },
    { kind: "file-read", id: "t1", sessionId, path: "/x", chars: 10 },
    { kind: "file-read", id: "t3", sessionId, path: "/x" },
    { kind: "anomaly", id: "x", sessionId, cause: "cache-fall", at: 9, value: 0.1, usual: 0.9 },
  );
  const page = ledger.ask("sessionPage", sessionId, basis);
  assert.ok(page !== null);
  pageSchema.parse(page);
  assert.deepEqual(
    page.turns.map(({ messageId, occupancy, tools, fill }) => ({ messageId, occupancy, tools, fill })),
    [
      {
        messageId: "msg_1",
        occupancy: 1000,
        tools: ["Read", "Bash"],
        fill: [
          { name: "system", chars: 1, tokens: 334 },
          { name: "tools", chars: 1, tokens: 333 },
          { name: "user", chars: 1, tokens: 333 },
        ],
      },
      { messageId: "msg_2", occupancy: 1000, tools: [], fill: null },
      { messageId: "msg_3", occupancy: 1000, tools: [], fill: null },
    ],
  );
  const ours = page.session.usd ?? 0;
  assert.deepEqual(page.official, { usd: 1, ours, difference: 1 - ours });
  assert.deepEqual([page.session.responses, page.session.unpriced], [3, 1]);
  assert.deepEqual(
    page.subagents.map(({ agentId, type, responses, usd }) => [agentId, type, responses, usd === null]),
    [
      ["a1", "Explore", 1, false],
      ["a2", null, 1, true],
    ],
  );
  assert.deepEqual(page.compactions, [
    { at: 5, agentId: null, trigger: "auto", preTokens: 9, postTokens: null },
  ]);
  assert.deepEqual(
    page.runs.map(({ id, processingTokens }) => [id, processingTokens]),
    [["session-1:msg_1", 6]],
  );
  assert.deepEqual(
    page.tools.map(({ key, calls }) => [key, calls]),
    [
      [null, 0],
      ["Read", 1],
      ["Bash", 1],
    ],
  );
  assert.deepEqual(page.rereads, [{ path: "/x", sessionId, reads: 2, chars: 10 }]);
  assert.deepEqual(
    page.anomalies.map(({ cause, value, turns }) => [cause, value, turns]),
    [["cache-fall", 0.1, []]],
  );
  assert.equal(ledger.ask("sessionPage", "nobody-knows", basis), null);
  assert.deepEqual(ledger.ask("sessionPage", "another", basis)?.official, null);
});

test("The window's content adds up to its measured occupancy", () => {
  const parts = fc.dictionary(fc.string({ maxLength: 20 }), fc.nat(5_000_000), { maxKeys: 30 });
  fc.assert(
    fc.property(parts, fc.nat(1_000_000), (chars, occupancy) => {
      const fill = scaledFill(chars, occupancy);
      const isReported = Object.values(chars).some((each) => each > 0);
      assert.equal(fill === null, !isReported);
      if (fill === null) return;
      assert.equal(
        fill.reduce((sum, { tokens }) => sum + tokens, 0),
        occupancy,
      );
      assert.equal(fill.length, Object.keys(chars).length);
    }),
  );
});

test("The window's present content is that of the main conversation's last recorded request", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const sessionId = "session-1";
  assert.equal(ledger.ask("contextFill", sessionId, basis), null);
  const fill = { kind: "context-fill", sessionId } as const;
  await appendEntries(
    ledger,
    { kind: "session", id: sessionId, program: "claude-code" },
    { ...fill, id: "r1", at: 1, parts: '{"system":1,"user":9}' },
    { ...fill, id: "r2", at: 2, parts: '{"system":1,"user":20}' },
    { ...fill, id: "r3", at: 3, agentId: "a1", parts: '{"system":7}' },
    { ...fill, id: "r4", at: 4 },
    { ...fill, id: "r5", sessionId: "another", at: 5, parts: '{"system":8}' },
  );
  const latest = ledger.ask("contextFill", sessionId, basis);
  assert.deepEqual(latest, {
    at: 2,
    parts: [
      { name: "system", chars: 1 },
      { name: "user", chars: 20 },
    ],
  });
  await appendEntries(ledger, { ...fill, id: "r6", at: 6, parts: "no JSON" });
  assert.equal(ledger.ask("contextFill", sessionId, basis), null);
});

test("A session of a model named with [1m] has the long window", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  for (const [id, model] of [
    ["long", "claude-sonnet-4-5[1m]"],
    ["usual", "claude-sonnet-4-5"],
  ] as const)
    await appendEntries(
      ledger,
      { kind: "session", id, program: "claude-code" },
      response(id === "long" ? 1 : 2, { sessionId: id, model }),
    );
  const windowOf = (id: string) => ledger.ask("sessionPage", id, basis)?.window;
  assert.deepEqual([windowOf("long"), windowOf("usual")], [1_000_000, 200_000]);
});
