import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { GuardHitEntry } from "../../../../src/engine/guard/hit-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, appendEntries } from "../support/support.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";

const dayMs = 86_400_000;
const noon = Date.parse("2026-11-20T12:00:00");

function hit(id: number, own: Partial<GuardHitEntry> = {}): GuardHitEntry {
  return {
    kind: "guard-hit",
    id: `toolu_${id}:delete-home`,
    sessionId: "s1",
    at: noon + id,
    program: "claude-code",
    tool: "Bash",
    rule: "delete-home",
    family: "safety",
    action: "ask",
    done: "observed",
    excerpt: "rm -rf ~",
    folder: "/work/app",
    savedBytes: null,
    agentId: null,
    ...own,
  };
}

test("Hits are counted by rule and action, summed by family and local day, and the newest have their session", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const output = { rule: "smaller-output-git", family: "output", action: "advise" } as const;
  await appendEntries(
    ledger,
    { kind: "session", id: "s1", title: "Tide tables" },
    hit(0, { at: noon - 10 * dayMs }),
    hit(1),
    hit(2, { done: "asked" }),
    hit(3, { ...output, savedBytes: 700 }),
    hit(4, { ...output, savedBytes: 300, at: noon + dayMs }),
    hit(5, { ...output, savedBytes: 50, at: noon + 60_000 }),
  );
  const book = ledger.ask("guardBook", { since: noon, most: 2 });
  assert.deepEqual(
    book.counts.map(({ rule, action, done, count, savedBytes }) => [rule, action, done, count, savedBytes]),
    [
      ["smaller-output-git", "advise", "observed", 3, 1050],
      ["delete-home", "ask", "asked", 1, 0],
      ["delete-home", "ask", "observed", 1, 0],
    ],
  );
  assert.deepEqual(
    book.hits.map(({ id, title, savedBytes }) => [id, title, savedBytes]),
    [
      ["toolu_4:delete-home", "Tide tables", 300],
      ["toolu_5:delete-home", "Tide tables", 50],
    ],
  );
  const day = "2026-11-20";
  assert.deepEqual(book.days, [
    { day, family: "safety", done: "observed", count: 1, savedBytes: 0, savedTokens: 0 },
    { day, family: "safety", done: "asked", count: 1, savedBytes: 0, savedTokens: 0 },
    { day, family: "output", done: "observed", count: 2, savedBytes: 750, savedTokens: 188 },
    { day: "2026-11-21", family: "output", done: "observed", count: 1, savedBytes: 300, savedTokens: 75 },
  ]);
  assert.deepEqual(book.scale, { charactersPerToken: 4, requests: 0 });
});

test("Days add up to the counts, in any order of hits", async (t) => {
  const entries = fc.array(
    fc.record({
      at: fc.integer({ min: noon - 3 * dayMs, max: noon + 3 * dayMs }),
      family: fc.constantFrom("safety", "output", "waste"),
      done: fc.constantFrom("observed" as const, "asked" as const, "advised" as const),
      savedBytes: fc.option(fc.nat(100_000)),
    }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(entries, async (all) => {
      const ledger = await open(t, scratchFolder(t));
      await appendEntries(ledger, ...all.map((own, index) => hit(index, own)));
      const { counts, days } = ledger.ask("guardBook", { since: noon - dayMs, most: 100 });
      const sums = (parts: typeof counts | typeof days) =>
        parts.reduce(
          (sum, { count, savedBytes }) => ({ count: sum.count + count, bytes: sum.bytes + savedBytes }),
          { count: 0, bytes: 0 },
        );
      assert.deepEqual(sums(days), sums(counts));
      assert.equal(sums(days).count, all.filter(({ at }) => at >= noon - dayMs).length);
      assert.deepEqual(
        days.map(({ day }) => day).toSorted(),
        days.map(({ day }) => day),
      );
    }),
    { numRuns: 10 },
  );
});

test("guard rules are counted since a time, whatever the action", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const hit = (id: string, rule: string, at: number, done: "observed" | "asked") =>
    ({ kind: "guard-hit", id, sessionId: "s", rule, family: "safety", action: "ask", done, at }) as const;
  await appendEntries(
    ledger,
    hit("1", "delete-home", 99, "observed"),
    hit("2", "delete-home", 100, "observed"),
    hit("3", "delete-home", 300, "asked"),
    hit("4", "no-deploy", 200, "observed"),
  );
  assert.deepEqual(ledger.ask("guardCounts", 100), [
    { rule: "delete-home", count: 2, lastAt: 300 },
    { rule: "no-deploy", count: 1, lastAt: 200 },
  ]);
});

type Hit = Extract<LedgerEntry, { kind: "guard-hit" }>;
type OutcomeEntry = Extract<LedgerEntry, { kind: "guard-outcome" }>;

const advisedHit = (number: number, done: Hit["done"], rule = "a-rule"): Hit => ({
  kind: "guard-hit",
  id: `${number}:${rule}`,
  sessionId: "s",
  at: number,
  rule,
  family: "waste",
  action: "advise",
  done,
});
const outcome = (
  number: number,
  came: OutcomeEntry["outcome"],
  { rule = "a-rule", ...over }: Partial<OutcomeEntry> = {},
): OutcomeEntry => ({
  kind: "guard-outcome",
  id: `${number}:${rule}`,
  source: "calls",
  sessionId: "s",
  rule,
  family: "waste",
  done: "advised",
  outcome: came,
  at: number + 1,
  ...over,
});
const none = {
  family: "waste",
  advised: 0,
  asked: 0,
  denied: 0,
  followed: 0,
  ignored: 0,
  overridden: 0,
  progress: 0,
  mistaken: 0,
  unknown: 0,
};

test("Advice is counted by rule with its outcomes; missing ones are unknown, and unsent advice is left out", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    advisedHit(1, "advised"),
    advisedHit(10, "advised"),
    advisedHit(11, "advised"),
    advisedHit(12, "advised"),
    advisedHit(13, "repeated"),
    advisedHit(14, "silent"),
    advisedHit(15, "observed"),
    advisedHit(10, "asked", "b-rule"),
    advisedHit(11, "denied", "b-rule"),
    outcome(1, "ignored"),
    outcome(10, "followed"),
    outcome(11, "unknown"),
    outcome(10, "overridden", { rule: "b-rule", done: "asked" }),
  );
  assert.deepEqual(ledger.ask("guardEffects", 5), {
    effects: [
      { ...none, rule: "a-rule", advised: 3, followed: 1, unknown: 2 },
      { ...none, rule: "b-rule", asked: 1, denied: 1, overridden: 1, unknown: 1 },
    ],
    advice: [
      { rule: "a-rule", helped: 1, failed: 1, wokenAt: null },
      { rule: "b-rule", helped: 0, failed: 0, wokenAt: null },
    ],
  });
});

test("The user's decision on a advisedHit overrides later calls, in any order", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const said = { source: "user", at: 30 } as const;
  await appendEntries(
    ledger,
    advisedHit(1, "advised"),
    advisedHit(2, "advised"),
    outcome(1, "followed"),
    outcome(1, "false", said),
    outcome(2, "false", said),
    outcome(2, "followed"),
  );
  const { effects, advice } = ledger.ask("guardEffects", 0);
  assert.deepEqual(effects, [{ ...none, rule: "a-rule", advised: 2, mistaken: 2 }]);
  assert.deepEqual(advice, [{ rule: "a-rule", helped: 0, failed: 2, wokenAt: null }]);
});

test("Outcomes from before a rule was unmuted no longer count against it", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    ...[1, 2, 3, 20].flatMap((number) => [advisedHit(number, "advised"), outcome(number, "ignored")]),
    { kind: "guard-wake", id: "w1", rule: "a-rule", at: 3 },
    { kind: "guard-wake", id: "w2", rule: "a-rule", at: 10 },
    { kind: "guard-wake", id: "w3", rule: "never-told", at: 10 },
  );
  const { effects, advice } = ledger.ask("guardEffects", 0);
  assert.deepEqual(effects, [{ ...none, rule: "a-rule", advised: 4, ignored: 4 }]);
  assert.deepEqual(advice, [
    { rule: "a-rule", helped: 0, failed: 1, wokenAt: 10 },
    { rule: "never-told", helped: 0, failed: 0, wokenAt: 10 },
  ]);
});

test("The order of entries does not matter, and neither does a repeated one", async (t) => {
  const number = fc.nat(5);
  const entry = fc.oneof(
    number.map((each): LedgerEntry => advisedHit(each, each % 2 === 0 ? "advised" : "asked")),
    number.map((each): LedgerEntry =>
      outcome(each, each < 3 ? "ignored" : "progress", { done: each % 2 === 0 ? "advised" : "asked" }),
    ),
    number.map((each): LedgerEntry => outcome(each, "false", { source: "user" })),
    number.map((at): LedgerEntry => ({ kind: "guard-wake", id: `w${at}`, rule: "a-rule", at })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { minLength: 1, maxLength: 20 }),
      fc.infiniteStream(fc.nat(50)),
      async (entries, order) => {
        const ledger = await open(t, scratchFolder(t));
        await appendEntries(ledger, ...entries);
        const shuffled = [...entries, ...entries.slice(0, 5)]
          .map((each) => [Number(order.next().value), each] as const)
          .toSorted(([one], [other]) => one - other)
          .map(([, each]) => each);
        const again = await open(t, scratchFolder(t));
        await appendEntries(again, ...shuffled);
        assert.deepEqual(again.ask("guardEffects", 0), ledger.ask("guardEffects", 0));
        await Promise.all([ledger.close(), again.close()]);
      },
    ),
    { numRuns: 15 },
  );
});
