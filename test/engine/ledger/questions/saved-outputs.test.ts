import fc from "fast-check";
import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { characterScale, tokensOfCharacters } from "../../../../src/engine/base/format.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import type { OutputSaving } from "../../../../src/engine/ledger/ledger-answers.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, open, response } from "../support/support.ts";

const start = Date.UTC(2026, 10, 1);
const minute = 60_000;
const scale = characterScale([]);
const tokens = (bytes: number) => tokensOfCharacters(bytes, scale);
/** Claude Opus 4.5's list prices beside new input: a cache write, a cache read, an answer. */
const [write, read, answer] = [1.25, 0.1, 5];
const usdPerToken = 5 / 1e6;

/** The `number`th response of a conversation, whose context grows by 1,000 tokens each time. */
function step(number: number, over: Partial<Extract<LedgerEntry, { kind: "response" }>> = {}): LedgerEntry {
  const cacheRead = (number - 1) * 1000;
  return response(number, {
    sessionId: "s",
    at: start + number * minute,
    usage: { ...noUsage, cacheRead, cacheCreation5m: 1000, output: 20 },
    ...over,
  });
}

function call(id: string, number: number, over: object = {}): LedgerEntry {
  return {
    kind: "tool-call",
    id,
    sessionId: "s",
    messageId: `msg_${number}`,
    at: start + number * minute,
    tool: "Bash",
    ...over,
  };
}

function shortened(
  id: string,
  number: number,
  over: Partial<Extract<LedgerEntry, { kind: "guard-hit" }>> = {},
): LedgerEntry {
  return {
    kind: "guard-hit",
    id: `${id}:smaller-output-tap`,
    sessionId: "s",
    at: start + number * minute + 5000,
    program: "claude-code",
    tool: "Bash",
    rule: "smaller-output-tap",
    family: "output",
    action: "advise",
    done: "replaced",
    savedBytes: 8000,
    command: "npm test",
    ...over,
  };
}

function followUp(
  id: string,
  number: number,
  how: "fetched" | "again" | "narrower" | "error",
  over: object = {},
): LedgerEntry {
  return {
    kind: "guard-follow-up",
    id: `${id}:t2:smaller-output-tap`,
    hit: "t2:smaller-output-tap",
    sessionId: "s",
    at: start + number * minute + 5000,
    how,
    callId: id,
    bytes: 8800,
    ...over,
  };
}

const steps = [1, 2, 3, 4, 5, 6].map((number) => step(number));
const calls = [1, 2, 3, 4, 5].map((number) => call(`t${number}`, number));

async function ledgerOf(t: Pick<TestContext, "after">, ...entries: LedgerEntry[]): Promise<Ledger> {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, ...entries);
  return ledger;
}

function savingsIn(ledger: Ledger, since = 0): readonly OutputSaving[] {
  return ledger.ask("savedOutputs", since).savings;
}

function only(savings: readonly OutputSaving[]): OutputSaving {
  assert.equal(savings.length, 1);
  return savings[0] ?? assert.fail();
}

function near(actual: number, expected: number, what?: string): void {
  assert.ok(
    Math.abs(actual - expected) <= 1e-6 * Math.max(1, Math.abs(expected)),
    `${what ?? ""} ${actual} is not ${expected}`,
  );
}

test("A token that was left out counts for every later request, by its price", async (t) => {
  const ledger = await ledgerOf(t, ...steps, ...calls, shortened("t2", 2));
  const saving = only(savingsIn(ledger));
  const { rule, command, tool, program, outputs, pending, requests } = saving;
  assert.deepEqual(
    { rule, command, tool, program, outputs, pending, requests, tokens: saving.tokens },
    {
      rule: "smaller-output-tap",
      command: "npm test",
      tool: "Bash",
      program: "claude-code",
      outputs: 1,
      pending: 0,
      requests: 4,
      tokens: tokens(8000),
    },
  );
  near(saving.gross, tokens(8000) * (write + 3 * read));
  near(saving.grossUsd, tokens(8000) * (write + 3 * read) * usdPerToken);
  assert.deepEqual([saving.minusUsd, saving.unpriced, saving.isEvidence], [0, 0, true]);
});

test("It counts only until a compaction, and nothing before a request is known", async (t) => {
  const compaction: LedgerEntry = {
    kind: "compaction",
    id: "c",
    sessionId: "s",
    trigger: "auto",
    isSidechain: false,
    longContext: false,
    at: start + 4.5 * minute,
  };
  const ledger = await ledgerOf(t, ...steps, ...calls, shortened("t2", 2), shortened("t4", 4), compaction);
  const saving = only(savingsIn(ledger));
  assert.deepEqual([saving.outputs, saving.pending, saving.requests], [1, 1, 2]);
  near(saving.gross, tokens(8000) * (write + read));
});

test("A cache that was lost, and an agent without one, pay in full", async (t) => {
  const late = step(5, {
    usage: { ...noUsage, cacheCreation5m: 40_000, output: 20 },
    at: start + 60 * minute,
  });
  const large = [1, 2, 3, 4].map((number) =>
    step(number, {
      usage: {
        ...noUsage,
        cacheRead: number === 1 ? 0 : 30_000 + number,
        cacheCreation5m: number === 1 ? 30_000 : 10,
        output: 20,
      },
    }),
  );
  const ledger = await ledgerOf(t, ...large, late, ...calls, shortened("t2", 2));
  near(only(savingsIn(ledger)).gross, tokens(8000) * (write + read + write));
  const plain = [1, 2, 3, 4].map((number) =>
    step(number, { usage: { ...noUsage, input: number * 1000, output: 20 } }),
  );
  const other = await ledgerOf(t, ...plain, ...calls, shortened("t2", 2));
  near(only(savingsIn(other)).gross, tokens(8000) * 2);
});

test("What follows costs its request, and its output in each later one", async (t) => {
  for (const how of ["fetched", "again", "narrower", "error"] as const) {
    const ledger = await ledgerOf(t, ...steps, ...calls, shortened("t2", 2), followUp("t3", 3, how));
    const saving = only(savingsIn(ledger));
    const request = 3000 * read + 20 * answer;
    const cost = request + tokens(8800) * (write + 2 * read);
    assert.equal(saving[how].calls, 1);
    near(saving[how].tokens, cost, how);
    near(saving.minusUsd, cost * usdPerToken, how);
    const others = (["fetched", "again", "narrower", "error"] as const).filter((each) => each !== how);
    for (const other of others) assert.deepEqual(saving[other], { calls: 0, tokens: 0 });
  }
});

test("A request that made several calls is shared, and calls made with the output's own followed nothing", async (t) => {
  const ledger = await ledgerOf(
    t,
    ...steps,
    ...calls,
    call("t3b", 3),
    call("t2b", 2),
    shortened("t2", 2),
    followUp("t3", 3, "again"),
    followUp("t2b", 2, "again"),
  );
  const { again } = only(savingsIn(ledger));
  assert.equal(again.calls, 1);
  near(again.tokens, (3000 * read + 20 * answer) / 2 + tokens(8800) * (write + 2 * read));
});

test("A repetition that was shortened too saves nothing, and costs what the agent received", async (t) => {
  const again = followUp("t3", 3, "again", { bytes: 9000 });
  const ledger = await ledgerOf(t, ...steps, ...calls, shortened("t2", 2), shortened("t3", 3), again);
  const saving = only(savingsIn(ledger));
  assert.equal(saving.outputs, 1);
  near(saving.again.tokens, 3000 * read + 20 * answer + tokens(1000) * (write + 2 * read));
});

test("A call that followed several outputs counts once, for the first", async (t) => {
  const second = followUp("t4", 4, "again", { id: "t4:other", hit: "t3:smaller-output-tap" });
  const ledger = await ledgerOf(
    t,
    ...steps,
    ...calls,
    shortened("t2", 2),
    shortened("t3", 3, { command: "make" }),
    followUp("t4", 4, "again"),
    second,
  );
  assert.deepEqual(
    savingsIn(ledger).map(({ command, again }) => [command, again.calls]),
    [
      ["npm test", 1],
      ["make", 0],
    ],
  );
});

test("Subagents and later sessions have contexts of their own", async (t) => {
  const sub = { agentId: "a", isSidechain: true };
  const own = [11, 12].map((number) =>
    step(number, { ...sub, usage: { ...noUsage, cacheCreation5m: 500, output: 1 } }),
  );
  const ofSub = [call("u11", 11, sub), shortened("u11", 11, { agentId: "a", savedBytes: 400 })];
  const later = step(20, { sessionId: "later", usage: { ...noUsage, cacheCreation5m: 2000, output: 10 } });
  const fetched = followUp("t20", 20, "fetched", { sessionId: "later" });
  const ledger = await ledgerOf(
    t,
    ...[...steps, ...calls, shortened("t2", 2), ...own, ...ofSub, later],
    call("t20", 20, { sessionId: "later" }),
    fetched,
  );
  const saving = only(savingsIn(ledger));
  assert.deepEqual([saving.outputs, saving.requests, saving.fetched.calls], [2, 4 + 1, 1]);
  near(saving.fetched.tokens, 2000 * write + 10 * answer, "its session has no later request");
});

test("Calls without an id have their time, models without a price the usual weights", async (t) => {
  const unpriced = [1, 2, 3, 4, 5, 6].map((number) => step(number, { model: "own-model" }));
  const hit = shortened("x", 2, {
    id: `s@${start + 2 * minute}:smaller-output-tap`,
    command: null,
    tool: null,
  });
  const ledger = await ledgerOf(t, ...unpriced, hit);
  const saving = only(savingsIn(ledger));
  near(saving.gross, tokens(8000) * (1.25 + 3 * 0.1));
  assert.deepEqual([saving.command, saving.grossUsd, saving.unpriced], ["", 0, 1]);
});

test("A format that is switched on again begins anew; taking that back counts the outputs again", async (t) => {
  const wake = (rule: string, at: number): LedgerEntry => ({
    kind: "guard-wake",
    id: `${rule}@${at}`,
    rule,
    at,
  });
  const ledger = await ledgerOf(t, ...steps, ...calls, shortened("t2", 2), shortened("t4", 4));
  const evidence = () => savingsIn(ledger).map(({ isEvidence, outputs }) => [isEvidence, outputs]);
  assert.deepEqual(evidence(), [[true, 2]]);
  const between = start + 3 * minute;
  await appendEntries(ledger, wake("smaller-output-tap:npm test", between));
  assert.deepEqual(evidence(), [
    [false, 1],
    [true, 1],
  ]);
  const ids = JSON.stringify([`smaller-output-tap:npm test@${between}`]);
  await appendEntries(ledger, { kind: "unlearn", table: "guard_wakes", ids });
  assert.deepEqual(evidence(), [[true, 2]]);
  await appendEntries(ledger, wake("smaller-output-tap", start + 5 * minute));
  assert.deepEqual(evidence(), [[false, 2]]);
  assert.equal(savingsIn(ledger, start + 3 * minute)[0]?.outputs, 1, "since a time");
});

test("Whatever the order, and however often entries come, the answer is the same", async (t) => {
  const all = [
    ...steps,
    ...calls,
    shortened("t2", 2),
    shortened("t4", 4),
    followUp("t3", 3, "again"),
    followUp("t5", 5, "fetched", { at: start - 90 * 86_400_000 }),
  ];
  const expected = savingsIn(await ledgerOf(t, ...all));
  assert.equal(expected.length, 1);
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
      fc.nat(16),
      async (entries, cut) => {
        const folder = scratchFolder(t);
        const ledger = await open(t, folder);
        await appendEntries(ledger, ...entries.slice(0, cut));
        // Sums of a part must not remain.
        savingsIn(ledger);
        await ledger.close();
        const again = await open(t, folder);
        await appendEntries(again, ...entries.slice(cut));
        assert.deepEqual(savingsIn(again), expected);
        await again.close();
      },
    ),
    { numRuns: 12 },
  );
});

test("What is older than single hits are kept counts no longer, and what comes late for it is dropped", async (t) => {
  const day = 86_400_000;
  const ledger = await ledgerOf(
    t,
    ...steps,
    ...calls,
    shortened("t2", 2),
    followUp("t3", 3, "again"),
    shortened("new", 2, { sessionId: "now", at: start + 120 * day }),
  );
  assert.equal(savingsIn(ledger).length, 2);
  const aged = await ledger.ageOut(start + 120 * day);
  assert.ok(aged.ok);
  await appendEntries(ledger, followUp("t4", 4, "again"));
  assert.deepEqual(
    savingsIn(ledger).map(({ session }) => session),
    ["now"],
  );
  assert.equal(
    ledger.ask("guardBook", { since: 0, most: 9 }).counts[0]?.count,
    2,
    "its hits are still counted",
  );
});
