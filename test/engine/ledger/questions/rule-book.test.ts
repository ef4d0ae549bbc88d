import assert from "node:assert/strict";
import test from "node:test";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, response, appendEntries } from "../support/support.ts";

test("The rule book has rules with their steps, receipts and memories, also after reopening", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  const rule = { kind: "rule", id: "u", agent: "scout", body: "Read once.", createdAt: 1 } as const;
  const step = { kind: "rule-step", ruleId: "u", who: "user", why: "By hand." } as const;
  await appendEntries(
    ledger,
    { ...rule, status: "candidate", origin: "hand" },
    { ...step, id: "1", at: 1, toStatus: "candidate" },
    { ...rule, status: "approved", isProtected: true, probation: 1 },
    { ...step, id: "2", at: 2, fromStatus: "candidate", toStatus: "approved" },
    { kind: "receipt", id: "x", subject: "rule", subjectId: "u", at: 3, verdict: "saves", json: '{"a":1}' },
    // Only the intended fields of a receipt's JSON are read.
    ...['{"driver":"replay","verdict":{"saving":{"value":7.5}}}', '{"evidence":{"driver":"claude"}}'].map(
      (json, index) =>
        ({
          kind: "receipt",
          id: `y${index}`,
          subject: "rule",
          subjectId: "u",
          at: 2,
          verdict: "saves",
          json,
        }) as const,
    ),
    ...['{"driver":5,"verdict":{"saving":{"value":"much"}}}', "no JSON"].map(
      (json, index) =>
        ({
          kind: "receipt",
          id: `z${index}`,
          subject: "x",
          subjectId: "u",
          at: 1,
          verdict: "saves",
          json,
        }) as const,
    ),
    {
      kind: "receipt",
      id: "w",
      subject: "rule",
      subjectId: "u",
      at: 1,
      verdict: "saves",
      json: '{"expected":{"grade":"worth","share":0.1},"spent":{"processingTokens":5,"usd":null},"driver":"claude"}',
    },
    {
      kind: "memory",
      agent: "scout",
      version: "1",
      at: 4,
      text: "- Read once.",
      ruleIds: "u,v",
      madeBy: "user",
    },
  );
  await ledger.close();
  const again = await open(t, folder);
  const book = again.ask("ruleBook", null);
  const [first] = book.rules;
  assert.deepEqual(
    [first?.status, first?.origin, first?.isProtected, first?.strikes],
    ["approved", "hand", true, 1],
  );
  assert.deepEqual(
    book.steps.map(({ fromStatus, toStatus }) => [fromStatus, toStatus]),
    [
      [null, "candidate"],
      ["candidate", "approved"],
    ],
  );
  assert.deepEqual(
    book.receipts.map(({ id, at, driver, saving }) => [id, at, driver, saving]),
    [
      ["x", 3, null, null],
      ["y1", 2, "claude", null],
      ["y0", 2, "replay", 7.5],
      ["w", 1, "claude", null],
      ["z1", 1, null, null],
      ["z0", 1, null, null],
    ],
  );
  assert.deepEqual(book.memories[0]?.ruleIds, ["u", "v"]);
  const grades = book.receipts.flatMap(({ id, grade }) => (grade === null ? [] : [[id, JSON.parse(grade)]]));
  const spent = { processingTokens: 5, usd: null };
  assert.deepEqual(grades, [["w", { grade: "worth", share: 0.1, spent }]]);
  assert.deepEqual([again.ask("receipt", "x"), again.ask("receipt", "y")], ['{"a":1}', null]);
});

test("Real runs are an agent's last ones, oldest first, without golden tasks", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const run = (number: number, agent: string, over = {}): LedgerEntry => ({
    kind: "run",
    id: `${agent}-${number}`,
    sessionId: `s-${number}`,
    agent,
    endedAt: number,
    input: number,
    output: 0,
    cacheCreation: 0,
    cacheRead: 0,
    completed: true,
    ...over,
  });
  await appendEntries(
    ledger,
    ...[1, 2, 3].map((number) => run(number, "main")),
    run(4, "scout"),
    run(5, "scout", { taskHash: "t" }),
    run(6, "scout", { completed: false }),
  );
  assert.deepEqual(
    ledger.ask("realRuns", { most: 2, project: null }).map(({ id }) => id),
    ["main-2", "main-3", "scout-4"],
  );
});

test("Rent facts: characters per token, and cached tokens at the start of conversations", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const usage = { input: 50, output: 5, cacheCreation5m: 0, cacheCreation1h: 50, cacheRead: 100 };
  await appendEntries(
    ledger,
    { kind: "subagent", sessionId: "session-1", agentId: "a", type: "scout" },
    response(1, { usage }),
    response(2, { usage: { ...usage, cacheRead: 900 } }),
    response(3, { agentId: "a", isSidechain: true, usage: { ...usage, cacheRead: 70 } }),
    {
      kind: "context-fill",
      id: "f",
      sessionId: "session-1",
      messageId: "msg_1",
      at: 1,
      parts: '{"system":600,"tools":100}',
    },
  );
  const facts = ledger.ask("rentFacts", null);
  assert.deepEqual(facts.charactersPerToken, [3.5]);
  assert.deepEqual([...facts.cachedAtStart].sort(), [
    ["main", [100]],
    ["scout", [70]],
  ]);
});
