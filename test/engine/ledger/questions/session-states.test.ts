import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, open } from "../support/support.ts";

type StateEntry = Extract<LedgerEntry, { kind: "session-state" }>;

const details = {
  left: 40,
  loop: null,
  unverified: ["src/a.ts"],
  repeatsBeforeTelling: 3,
  editsBeforeTelling: 4,
  readsBeforeTelling: 15,
  pieces: 3,
  characters: 1200,
};

function state(sessionId: string, turn: number, over: Partial<StateEntry> = {}): StateEntry {
  return {
    kind: "session-state",
    sessionId,
    turn,
    at: 1000 + turn,
    program: "claude-code",
    folder: "/argo",
    phase: "Productive",
    trust: 96,
    focus: 100,
    calls: 5,
    errors: 0,
    switches: 0,
    deadEnds: 0,
    edited: 1,
    verified: 0,
    details: JSON.stringify(details),
    ...over,
  };
}

test("The newest state of a session is returned, by its id or its beginning, or for the newest session", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    state("abc-1", 1),
    state("abc-1", 12, { trust: 80 }),
    state("abc-1", 3),
    state("abd-2", 1, { at: 5000 }),
    state("x%", 1),
    state("x%y", 2, { details: "no JSON" }),
  );
  const ask = (id: string | null) => ledger.ask("sessionStates", { id });
  const { kind, ...row } = state("abc-1", 12, { trust: 80 });
  assert.equal(kind, "session-state");
  assert.deepEqual(ask("abc"), [{ ...row, details }]);
  const ids = (id: string | null) => ask(id).map(({ sessionId }) => sessionId);
  assert.deepEqual(ids(null), ["abd-2"]);
  assert.deepEqual(ids("ab"), ["abd-2", "abc-1"]);
  assert.deepEqual(ids("x%"), ["x%"], "a whole id is not a beginning");
  assert.deepEqual(ids("%"), [], "a pattern is text");
  assert.deepEqual(ids("nobody"), []);
  assert.equal(ask("x%y")[0]?.details, null);
});

test("A turn has the row of its newest entry, and the session's page shows the last turn's", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const basis = { catalogue: builtInCatalogue, dayOf: localDays() };
  const loop = JSON.stringify({ ...details, loop: "A B A B" });
  await appendEntries(
    ledger,
    state("s", 1, { details: loop }),
    state("s", 1, { trust: 50, phase: "Struggling" }),
  );
  const page = ledger.ask("sessionPage", "s", basis);
  assert.equal(page?.state?.trust, 50);
  assert.equal(page.state.phase, "Struggling");
  assert.equal(page.state.details?.loop, null);
  await appendEntries(ledger, { kind: "session", id: "other", program: "codex" });
  assert.equal(ledger.ask("sessionPage", "other", basis)?.state, null);
});

test("The answer is the same in any order of turns, and an id may be any text", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await fc.assert(
    fc.asyncProperty(
      fc.uuid(),
      fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
      fc.string({ maxLength: 12 }),
      async (session, turns, other) => {
        await appendEntries(ledger, ...turns.map((turn) => state(session, turn)));
        const [found] = ledger.ask("sessionStates", { id: session });
        assert.equal(found?.turn, Math.max(...turns));
        for (const { sessionId } of ledger.ask("sessionStates", { id: other }))
          assert.ok(sessionId.startsWith(other));
      },
    ),
    { numRuns: 30 },
  );
});
