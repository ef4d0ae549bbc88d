import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  daysBetween,
  firedByRule,
  found,
  helpShare,
  hitsByRule,
  isSilent,
  leftOutTokens,
  savingsByFamily,
} from "../../../src/webview/guard/tallies.ts";
import { makeBook, makeHit, makeRule, makeView } from "./fixtures.ts";

test("the drawn bars add up to the ledger's savings, real or possible", () => {
  const days = daysBetween("2026-10-30", "2026-11-02");
  assert.deepEqual(days, ["2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02"]);
  const parts = fc.array(
    fc.record({
      day: fc.constantFrom(...days),
      family: fc.constantFrom("output", "waste", "of-a-later-version"),
      done: fc.constantFrom("observed", "replaced", "advised"),
      count: fc.nat(9),
      savedBytes: fc.nat(1_000_000),
      savedTokens: fc.nat(400_000),
    }),
  );
  fc.assert(
    fc.property(parts, (all) => {
      const { leftOut, would } = leftOutTokens({ days: all });
      const drawn = savingsByFamily({ days: all }, days);
      const tokens = (isObserved: boolean) =>
        drawn.filter((each) => each.isObserved === isObserved).flatMap(({ values }) => values);
      const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
      assert.deepEqual([sum(tokens(false)), sum(tokens(true))], [leftOut, would]);
    }),
  );
});

test("hits are grouped by rule and by call, with each outcome once, and none is lost", () => {
  const newest = makeHit({ id: "1", done: "asked" });
  const before = makeHit({ id: "2" });
  const other = makeHit({ id: "3", rule: "another-rule" });
  const elsewhere = makeHit({ id: "4", folder: "/home/mara/maps" });
  const unknown = [makeHit({ id: "5", excerpt: null }), makeHit({ id: "6", excerpt: null })];
  const groups = hitsByRule([newest, other, before, elsewhere, before, ...unknown]);
  assert.deepEqual(
    groups.map(({ rule, count, entries }) => [rule, count, entries.map((each) => each.count)]),
    [
      ["git-push-force", 6, [3, 1, 1, 1]],
      ["another-rule", 1, [1]],
    ],
  );
  assert.deepEqual(groups[0]?.entries[0]?.outcomes, [newest, before]);
  const { hits } = makeView();
  const counts = hitsByRule(hits).flatMap(({ entries }) => entries.map(({ count }) => count));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    hits.length,
  );
});

test("finds rules by all words in any place, and counts hits with any outcome", () => {
  const { rules } = makeBook();
  assert.deepEqual(
    found(rules, " History  WASTE ").map(({ id }) => id),
    ["unbounded-log"],
  );
  assert.equal(found(rules, "  "), rules);
  assert.deepEqual(found([makeRule()], "x.*"), []);
  const count = { rule: "r", family: "safety", action: "ask", savedBytes: 0 };
  assert.deepEqual(
    firedByRule([
      { ...count, done: "observed", count: 2, lastAt: 7 },
      { ...count, done: "asked", count: 1, lastAt: null },
      { ...count, done: "denied", count: 1, lastAt: 9 },
    ]).get("r"),
    { count: 4, lastAt: 9 },
  );
});

test("a share counts only known effects, and a rule that the user chose is never silent", () => {
  const none = { rule: "r", told: 9, followed: 0, progress: 0, ignored: 0, overridden: 0, mistaken: 0 };
  const effect = { ...none, followed: 1, progress: 1, ignored: 1, mistaken: 1, helpsTooLittle: true };
  assert.equal(helpShare(effect), 0.5);
  assert.equal(helpShare({ ...none, helpsTooLittle: false }), null);
  assert.equal(helpShare(undefined), null);
  assert.ok(isSilent(makeRule(), effect));
  assert.ok(!isSilent(makeRule({ isChosen: true }), effect));
  assert.ok(!isSilent(makeRule(), undefined));
});
