import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { why as whySchema, type Why, type WhyQuestion } from "../../../../src/engine/ledger/why-answers.ts";
import { cleanText } from "../../../../src/engine/base/text.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { makeMonth } from "../../../bench/why/made-month.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, ledgerPorts, open, response } from "../support/support.ts";

const all: WhyQuestion = { since: null, until: null, project: null, program: null, session: null };
const at = (day: number, minute = 0) => new Date(2026, 10, day, 12, minute).getTime();
const onDay = (day: string): WhyQuestion => ({ ...all, since: day, until: day });

const session = fc.constantFrom("s1", "s2", "s3");
const message = fc.nat(14).map((number) => `msg_${number}`);
const agentId = fc.constantFrom(null, null, null, "a1");
const time = fc.oneof(
  fc.constant(null),
  fc
    .record({ day: fc.integer({ min: 1, max: 9 }), minute: fc.nat(59) })
    .map(({ day, minute }) => at(day, minute)),
);
const tokens = fc.oneof(fc.constant(0), fc.nat(2000), fc.nat(600_000));
const hostile = fc.constantFrom("Bash", "Read", "\u001b[31mevil\u202E", "a\nb", "", null);
const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("response" as const),
      messageId: message,
      sessionId: session,
      agentId,
      model: fc.constantFrom("claude-opus-4-5", "claude-sonnet-4-5", "a-model-nobody-knows", "gpt-5.3-codex"),
      at: time,
      cwd: fc.constantFrom("/a", "/b\u202E", null),
      isSidechain: fc.boolean(),
      usage: fc.record({
        input: tokens,
        output: tokens,
        cacheCreation5m: tokens,
        cacheCreation1h: tokens,
        cacheRead: tokens,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("tool-call" as const),
      id: fc.nat(20).map((number) => `toolu_${number}`),
      sessionId: session,
      agentId,
      messageId: fc.option(message),
      at: time,
      tool: hostile,
      inputChars: fc.option(fc.nat(5)),
      resultChars: fc.option(fc.nat(900_000)),
      isError: fc.option(fc.boolean()),
    }),
  },
  fc.record({
    kind: fc.constant("file-read" as const),
    id: fc.nat(20).map((number) => `toolu_${number}`),
    sessionId: session,
    agentId,
    at: time,
    path: fc.constantFrom("/x", "/y\u001b]0;title\u0007"),
    chars: fc.option(fc.nat(900_000)),
  }),
  fc.record({
    kind: fc.constant("compaction" as const),
    id: fc.nat(5).map((number) => `c${number}`),
    sessionId: session,
    agentId,
    at: time,
    trigger: fc.constant("auto" as const),
    isSidechain: fc.constant(false),
    longContext: fc.constant(false),
  }),
  fc.record({
    kind: fc.constant("run" as const),
    id: fc.nat(3).map((number) => `r${number}`),
    sessionId: session,
    agent: fc.constant("main"),
    taskHash: fc.option(fc.constant("task")),
    completed: fc.boolean(),
    input: fc.constant(1),
    output: fc.constant(1),
    cacheCreation: fc.constant(1),
    cacheRead: fc.constant(1),
  }),
  fc.record({
    kind: fc.constant("session" as const),
    id: session,
    program: fc.constantFrom("claude-code", "codex", "\u001b[1mprogram"),
    cwd: fc.constantFrom("/a", null),
    title: hostile,
    firstAt: time,
    lastAt: time,
  }),
);
const question = fc.oneof(
  fc.record({
    since: fc.constantFrom(null, "2026-11-02", "2026-11-08"),
    until: fc.constantFrom(null, "2026-11-08"),
    project: fc.constantFrom(null, "/a"),
    program: fc.constantFrom(null, "codex"),
    session: fc.constant(null),
  }),
  session.map((id) => ({ ...all, session: id })),
);

test("Whatever the entries, the parts of an answer add up to what the overview says, with clean texts", async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 120 }),
      fc.nat(120),
      question,
      async (entries, split, asked) => {
        const opened = await openLedger({ ...ledgerPorts(), folder: scratchFolder(t) });
        assert.ok(opened.ok);
        const ledger = opened.value;
        await appendEntries(ledger, ...entries.slice(0, split));
        ledger.ask("why", asked);
        await appendEntries(ledger, ...entries.slice(split));
        const answer = ledger.ask("why", asked);
        const again = ledger.ask("why", asked);
        assert.deepEqual(again, answer);
        if (answer === null) assert.notEqual(asked.session, null);
        else {
          whySchema.parse(answer);
          check(answer, usdOf(ledger, asked));
        }
        await ledger.close();
      },
    ),
    { numRuns: 150 },
  );
});

/** The same cost by the answers of others. */
function usdOf(ledger: Ledger, { session: id, ...filter }: WhyQuestion): number | null {
  if (id !== null) return ledger.ask("sessionPage", id)?.session.usd ?? null;
  return ledger.ask("overview", filter).totals.usd;
}

function check(answer: Why, usd: number | null): void {
  const { clauses, rest, change } = answer;
  assert.equal(answer.usd, usd);
  const parts = [...clauses, rest];
  const nanos = parts.reduce((sum, part) => sum + Math.round(part.usd * 1e9), 0);
  assert.ok(Math.abs(nanos - Math.round((usd ?? 0) * 1e9)) <= 1, `${nanos} of ${usd}`);
  if ((usd ?? 0) >= 0.01)
    assert.equal(
      parts.reduce((sum, { percent }) => sum + percent, 0),
      100,
    );
  for (const { usd: own, percent, text } of parts) {
    assert.ok(own >= 0 && percent >= 0 && percent <= 100 && Number.isFinite(own));
    assert.equal(cleanText(text.text), text.text);
    assert.doesNotMatch(text.text, /NaN|undefined|Infinity|\{\d\}/u);
  }
  for (const { proofs, usd: own, sessions } of clauses) {
    assert.ok(proofs.length >= 1 && proofs.length <= sessions);
    assert.ok(proofs.reduce((sum, proof) => sum + proof.usd, 0) <= own + 1e-9);
  }
  for (const [index, clause] of clauses.entries())
    assert.ok(clause.usd <= (clauses[index - 1]?.usd ?? Infinity), "the dearest first");
  if (change !== null) {
    assert.ok(change.usd > 0 && change.usd <= (usd ?? 0));
    assert.doesNotMatch(`${change.text.text}${change.basis.text}`, /NaN|undefined|Infinity|\{\d\}/u);
  }
}

test("In a made-up month, each planted cause is named first for its day and session, and no other day has one", async (t) => {
  const { entries, days } = makeMonth(2, 7);
  const ledger = await open(t, scratchFolder(t));
  for (let start = 0; start < entries.length; start += 2000)
    await appendEntries(ledger, ...entries.slice(start, start + 2000));
  for (const { day, planted, session: id } of days) {
    const answer = ledger.ask("why", onDay(day));
    assert.ok(answer !== null);
    check(answer, ledger.ask("overview", onDay(day)).totals.usd);
    if (answer.usd === 0) continue;
    assert.equal(answer.clauses[0]?.cause, planted ?? undefined, day);
    if (planted === null)
      assert.match(
        answer.rest.text.text,
        /^Nothing stands out: all of it is as usual$|without a single cause$/u,
      );
    if (id === null) continue;
    assert.equal(answer.clauses[0]?.proofs[0]?.session.id, id);
    const own = ledger.ask("why", { ...all, session: id });
    assert.equal(own?.clauses[0]?.cause, planted, id);
  }
});

test("An empty ledger, an unknown session and an ambiguous one", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const empty = ledger.ask("why", onDay("2026-11-20"));
  assert.deepEqual(
    [empty?.usd, empty?.calls, empty?.clauses, empty?.rest.percent, empty?.usual, empty?.change],
    [0, 0, [], 0, null, null],
  );
  assert.equal(ledger.ask("why", { ...all, session: "s" }), null);
  await appendEntries(ledger, response(1, { sessionId: "one-1" }), response(2, { sessionId: "one-2" }));
  assert.equal(ledger.ask("why", { ...all, session: "one" }), null);
  assert.equal(ledger.ask("why", { ...all, session: "one-2" })?.calls, 1);
});

test("Calls without a known price are counted, and left out of the money", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const day = "2026-11-01";
  await appendEntries(ledger, response(1, { model: "nobody-knows-it", at: at(1) }));
  const none = ledger.ask("why", onDay(day));
  assert.deepEqual([none?.usd, none?.calls, none?.unpriced, none?.clauses], [null, 1, 1, []]);
  await appendEntries(ledger, response(2, { at: at(1, 5) }));
  const some = ledger.ask("why", onDay(day));
  assert.deepEqual([some?.calls, some?.unpriced], [2, 1]);
  assert.equal(some?.rest.usd, some?.usd);
});

test("An agent that reports no cache has no cache that expired", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  for (let turn = 0; turn < 30; turn += 1)
    await appendEntries(
      ledger,
      response(turn, {
        model: "gpt-5.3-codex",
        at: at(1) + turn * 20 * 60_000,
        usage: { ...noUsage, input: 60_000 + turn * 500, output: 100 },
      }),
    );
  const answer = ledger.ask("why", { ...all, session: "session-1" });
  assert.deepEqual(answer?.clauses, []);
});

test("A day with only a benchmark is a benchmark", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, response(1), response(2), {
    kind: "run",
    id: "r",
    sessionId: "session-1",
    agent: "main",
    taskHash: "task",
    completed: true,
    input: 1,
    output: 1,
    cacheCreation: 1,
    cacheRead: 1,
  });
  const answer = ledger.ask("why", all);
  assert.deepEqual(
    answer?.clauses.map(({ cause, percent, text }) => [cause, percent, text.text]),
    [["benchmark", 100, "2 calls of benchmarks"]],
  );
  assert.equal(answer.change, null);
});

test("loops of several tools are counted apart, and a clause names the cause of each lost cache", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const entries: LedgerEntry[] = [];
  const turn = (number: number, over: Partial<Parameters<typeof response>[1]> = {}) =>
    entries.push(
      response(number, {
        at: at(1) + number * 30_000,
        usage: { ...noUsage, cacheRead: number === 0 ? 0 : 40_000, cacheCreation5m: 500, output: 50 },
        ...over,
      }),
    );
  const lost = { ...noUsage, cacheCreation5m: 41_000, output: 50 };
  for (let number = 0; number < 12; number += 1) {
    turn(number);
    entries.push({
      kind: "tool-call",
      id: `call-${number}`,
      sessionId: "session-1",
      messageId: `msg_${number}`,
      at: at(1) + number * 30_000,
      tool: number < 6 ? "Bash" : "Edit",
      isError: true,
    });
  }
  turn(12, { usage: lost, at: at(1, 20) });
  turn(13, { usage: lost, model: "claude-sonnet-4-5", at: at(1, 21) });
  await appendEntries(ledger, ...entries);
  const answer = ledger.ask("why", { ...all, session: "session-1" });
  assert.deepEqual(
    answer?.clauses.map(({ text, proofs }) => [text.text, proofs[0]?.turns[0]?.number]),
    [
      ["The cache was lost, and ~81,500 tokens were written to it again: 1 pause, 1 change of the model", 13],
      ["2 loops of 12 calls in all, most of which failed; most of the cost with Bash", 2],
    ],
  );
});

test("more work than usual is named by its dearest turns", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const usage = { ...noUsage, input: 10_000, output: 100 };
  const day = (date: number, calls: number) =>
    Array.from({ length: calls }, (_, turn) =>
      response(date * 1000 + turn, { sessionId: `s-${date}`, at: at(date, turn % 60), usage, cwd: "/argo" }),
    );
  for (let date = 1; date <= 6; date += 1) await appendEntries(ledger, ...day(date, 10));
  await appendEntries(ledger, ...day(8, 40));
  const answer = ledger.ask("why", onDay("2026-11-08"));
  assert.deepEqual(
    answer?.clauses.map(({ cause, percent, text, proofs }) => [
      cause,
      percent,
      text.text,
      proofs[0]?.turns.length,
    ]),
    [["more-than-usual", 75, "More of an agent in the project argo than usual: over 4 times as much", 8]],
  );
  assert.equal(answer.change?.kind, "budget");
});

test("of several days, one that cost far more than the others is named", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const usage = { ...noUsage, input: 10_000, output: 100 };
  for (const [date, calls] of [10, 12, 9, 11, 60, 10].entries())
    for (let turn = 0; turn < calls; turn += 1)
      await appendEntries(
        ledger,
        response(date * 1000 + turn, { sessionId: `s-${date}`, at: at(date + 1, turn % 60), usage }),
      );
  const answer = ledger.ask("why", all);
  assert.deepEqual(
    answer?.clauses.map(({ cause, text, proofs }) => [cause, text.text, proofs[0]?.session.id]),
    [["spike", "2026-11-05 cost over 5 times as much as a usual day", "s-4"]],
  );
});
