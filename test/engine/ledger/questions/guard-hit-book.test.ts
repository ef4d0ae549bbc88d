import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { GuardHitEntry } from "../../../../src/engine/guard/hit-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, appendEntries } from "../support/support.ts";

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
    { day, family: "safety", done: "observed", count: 1, savedBytes: 0 },
    { day, family: "safety", done: "asked", count: 1, savedBytes: 0 },
    { day, family: "output", done: "observed", count: 2, savedBytes: 750 },
    { day: "2026-11-21", family: "output", done: "observed", count: 1, savedBytes: 300 },
  ]);
  assert.deepEqual(book.charactersPerToken, []);
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
