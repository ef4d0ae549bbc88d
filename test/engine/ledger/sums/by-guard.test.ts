import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { guardHitsKeptFor } from "../../../../src/engine/ledger/sums/by-guard.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, open } from "../support/support.ts";

type Hit = Extract<LedgerEntry, { kind: "guard-hit" }>;
type Outcome = Extract<LedgerEntry, { kind: "guard-outcome" }>;

const day = 86_400_000;
const now = Date.UTC(2026, 10, 22, 12);

const hit = (id: string, back: number, over: Partial<Hit> = {}): Hit => ({
  kind: "guard-hit",
  id,
  sessionId: "s",
  at: now - back * day,
  rule: "a-rule",
  family: "waste",
  action: "advise",
  done: "advised",
  excerpt: "cat huge.log",
  savedBytes: 7,
  ...over,
});

async function age(ledger: Ledger, at = now): Promise<void> {
  const done = await ledger.ageOut(at);
  assert.ok(done.ok, done.ok ? "" : done.detail.text);
}

/** All counts, without single hits. */
function countsOf(ledger: Ledger) {
  const { counts, days } = ledger.ask("guardBook", { since: 0, most: 0 });
  return {
    counts,
    days: days.reduce((sum, { count }) => sum + count, 0),
    effects: ledger.ask("guardEffects", 0),
    phases: ledger.ask("phaseOutcomes", null),
    rules: ledger.ask("guardCounts", 0),
  };
}

test("A hit dated by a clock of 1971 is stored without its time", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, hit("old", 100), hit("new", 0));
  await age(ledger);
  await appendEntries(ledger, hit("early", 0, { at: Date.UTC(1971, 5, 1) }), hit("old", 100));
  await age(ledger);
  const lines: Uint8Array[] = [];
  for await (const bytes of ledger.export({ format: "csv", since: null, table: "guard_hits" }))
    lines.push(bytes);
  const rows = Buffer.concat(lines).toString("utf8").split("\r\n");
  assert.deepEqual(
    rows
      .slice(1, -1)
      .map((row) => row.split(",")[0])
      .toSorted(),
    ["early", "new"],
  );
});

test("Hits of the last ninety days stay; older ones only count, with their outcomes", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const outcome = (id: string, source: Outcome["source"], came: Outcome["outcome"]): Outcome => ({
    kind: "guard-outcome",
    id,
    source,
    sessionId: "s",
    rule: "a-rule",
    family: "waste",
    done: "advised",
    outcome: came,
    at: now - 200 * day + 1,
  });
  await appendEntries(
    ledger,
    hit("old", 200),
    outcome("old", "calls", "followed"),
    outcome("old", "user", "false"),
    hit("older", 200.001),
    hit("replaced", 200, { rule: "output-npm", done: "replaced" }),
    hit("new", 80),
  );
  const before = countsOf(ledger);
  await age(ledger);
  assert.deepEqual(countsOf(ledger), before);
  const { hits } = ledger.ask("guardBook", { since: 0, most: 9 });
  assert.deepEqual(
    hits.map(({ id }) => id),
    ["new"],
  );
  assert.deepEqual(
    ledger.ask("guardEffects", 0).effects.map(({ rule, advised, mistaken, followed }) => ({
      rule,
      advised,
      mistaken,
      followed,
    })),
    [{ rule: "a-rule", advised: 3, mistaken: 1, followed: 0 }],
  );
  assert.equal(ledger.ask("sessionFigures", "s")?.own.savedBytes, 7, "a session's page shows the same");
});

test("Old packets and scorecards are removed, newer ones stay", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const kept = (sessionId: string, back: number): LedgerEntry[] => {
    const at = now - back * day;
    return [
      { kind: "resume-packet", sessionId, occasion: "end", at, turn: 1, packet: "{}" },
      { kind: "scorecard", sessionId, at, card: "{}" },
    ];
  };
  await appendEntries(ledger, ...kept("old", 120), ...kept("new", 3));
  await age(ledger);
  for (const table of ["resume_packets", "scorecards"] as const) {
    const lines: Uint8Array[] = [];
    for await (const bytes of ledger.export({ format: "csv", since: null, table })) lines.push(bytes);
    const text = Buffer.concat(lines).toString("utf8");
    assert.match(text, /^new,/mu, table);
    assert.doesNotMatch(text, /^old,/mu, table);
  }
});

/** Events of a ledger: hits and outcomes are appended, possibly again, time passes, hits are summed up, it is reopened. */
const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      number: fc.nat(20),
      back: fc.nat(200),
      sessionId: fc.constantFrom("s", "other"),
      rule: fc.constantFrom("a-rule", "b-rule"),
      done: fc.constantFrom<Hit["done"]>("advised", "observed", "replaced"),
      savedBytes: fc.option(fc.nat(1000)),
      outcome: fc.option(
        fc.record({
          source: fc.constantFrom<Outcome["source"]>("calls", "user"),
          outcome: fc.constantFrom<Outcome["outcome"]>("followed", "ignored", "progress", "false", "unknown"),
        }),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant("age" as const) },
  { weight: 1, arbitrary: fc.constant("open" as const) },
);

test("Whenever hits are summed up, all counts are the same as without summing", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
      const [folder, other] = [scratchFolder(t), scratchFolder(t)];
      let ledger = await open(t, folder);
      const whole = await open(t, other);
      const newest = hit("now", 0);
      const known = new Map([[newest.id, newest]]);
      for (const each of [ledger, whole]) await appendEntries(each, newest);
      let isAged = false;
      for (const each of happenings) {
        if (each === "age") {
          await age(ledger);
          isAged = true;
        } else if (each === "open") {
          await ledger.close();
          ledger = await open(t, folder);
        } else {
          const { number, back, outcome, ...more } = each;
          const id = `hit:${number}`;
          const first = known.get(id);
          const held = first ?? hit(id, back, more);
          // Hits of an already summed time come too late, and so do their outcomes.
          if (isAged && (held.at ?? 0) < now - guardHitsKeptFor + day) continue;
          known.set(id, held);
          const entries: LedgerEntry[] = [held];
          if (outcome !== null && held.done === "advised")
            entries.push({
              kind: "guard-outcome",
              id,
              sessionId: held.sessionId,
              rule: held.rule,
              family: held.family,
              done: "advised",
              at: held.at,
              ...outcome,
            });
          for (const one of [ledger, whole]) await appendEntries(one, ...entries);
          if (first !== undefined) await appendEntries(ledger, first);
        }
      }
      assert.deepEqual(countsOf(ledger), countsOf(whole));
      await age(ledger);
      assert.deepEqual(countsOf(ledger), countsOf(whole));
      await ledger.close();
      await whole.close();
    }),
    { numRuns: 30 },
  );
});
