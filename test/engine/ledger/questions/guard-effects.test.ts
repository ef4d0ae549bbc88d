import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, appendEntries } from "../support/support.ts";

type Hit = Extract<LedgerEntry, { kind: "guard-hit" }>;
type OutcomeEntry = Extract<LedgerEntry, { kind: "guard-outcome" }>;

const hit = (number: number, done: Hit["done"], rule = "a-rule"): Hit => ({
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
    hit(1, "advised"),
    hit(10, "advised"),
    hit(11, "advised"),
    hit(12, "advised"),
    hit(13, "repeated"),
    hit(14, "silent"),
    hit(15, "observed"),
    hit(10, "asked", "b-rule"),
    hit(11, "denied", "b-rule"),
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

test("The user's decision on a hit overrides later calls, in any order", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const said = { source: "user", at: 30 } as const;
  await appendEntries(
    ledger,
    hit(1, "advised"),
    hit(2, "advised"),
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
    ...[1, 2, 3, 20].flatMap((number) => [hit(number, "advised"), outcome(number, "ignored")]),
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
    number.map((each): LedgerEntry => hit(each, each % 2 === 0 ? "advised" : "asked")),
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
