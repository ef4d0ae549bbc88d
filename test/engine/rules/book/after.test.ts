import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { bookAfter } from "../../../../src/engine/rules/book/after.ts";
import { open, appendEntries } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";

const id = fc.constantFrom("r1", "r2", "r3");
const agent = fc.constantFrom("scout", "sql");
/** Times in any order, since clocks jump. */
const at = fc.integer({ min: 1, max: 5 });
const maybeAt: fc.Arbitrary<number | null> = fc.option(at);
const maybeFlag: fc.Arbitrary<boolean | null> = fc.option(fc.boolean());
const maybeJson: fc.Arbitrary<string | null> = fc.option(fc.json({ maxDepth: 1 }));
const words = fc.option(fc.string({ minLength: 1, maxLength: 20 }));
const whole = fc.option(fc.nat(1000));

const rule: fc.Arbitrary<LedgerEntry> = fc.record(
  {
    kind: fc.constant("rule" as const),
    id,
    agent,
    body: fc.string({ maxLength: 50 }),
    status: fc.constantFrom("candidate", "approved", "of a later version"),
    scope: words,
    measuredDelta: whole,
    contextCost: whole,
    sourceRun: words,
    createdAt: maybeAt,
    decidedAt: maybeAt,
    decidedReason: words,
    isProtected: maybeFlag,
    probation: whole,
    replaces: words,
    origin: words,
    source: maybeJson,
    auditedAt: maybeAt,
  },
  { requiredKeys: ["kind", "id", "agent", "body", "status"] },
);
const step = fc
  .record({
    ruleId: id,
    at,
    who: fc.constantFrom("user", "purser"),
    toStatus: id,
    why: fc.string({ maxLength: 20 }),
  })
  .map((reported) => ({ ...reported, kind: "rule-step" as const }));
const memory = fc
  .record({
    agent,
    at,
    text: fc.string({ maxLength: 50 }),
    ruleIds: fc.constantFrom("", "r1", "r1,r3"),
    madeBy: agent,
  })
  .map((reported) => ({ ...reported, kind: "memory" as const }));

test("A book updated by entries equals the book read from the ledger", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  let count = 0;
  const unique = () => String((count += 1));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(rule, step, memory), { maxLength: 8 }), async (reported) => {
      const entries = reported.map((entry): LedgerEntry => {
        if (entry.kind === "rule-step") return { ...entry, id: unique(), fromStatus: null };
        return entry.kind === "memory" ? { ...entry, version: unique() } : entry;
      });
      const before = ledger.ask("ruleBook", null);
      if (entries.length > 0) await appendEntries(ledger, ...entries);
      assert.deepEqual(bookAfter(before, entries), ledger.ask("ruleBook", null));
    }),
    { numRuns: 60 },
  );
});
