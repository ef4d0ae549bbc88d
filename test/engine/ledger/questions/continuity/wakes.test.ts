import assert from "node:assert/strict";
import test from "node:test";
import type { LedgerEntry } from "../../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { appendEntries, open } from "../../support/support.ts";

type Wake = Extract<LedgerEntry, { kind: "wake" }>;

const wake = (number: number, over: Partial<Wake> = {}): Wake => ({
  kind: "wake",
  id: `w${number}`,
  agent: "keeper",
  project: "/argo",
  program: "claude",
  model: "m",
  source: "timer",
  at: number,
  endedAt: number + 1,
  reason: "reused",
  resumeFailed: false,
  outcome: "completed",
  turns: 2,
  fetchMode: "delta",
  fullFetches: 0,
  deltaFetches: 1,
  summaryFetches: 0,
  promptChars: 10,
  instructionsChars: 4,
  ...over,
});

test("Wakes since a time are listed with all recorded members, newest first, each once", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const full = wake(3, {
    sessionId: "s",
    usd: 0.25,
    hasInstructions: true,
    resumeFailed: true,
    cacheRead: 7,
    cause: "age",
  });
  await appendEntries(ledger, wake(1), wake(2, { project: "/other" }), full);
  await appendEntries(ledger, full);
  const found = ledger.ask("wakes", { since: 2, project: null, most: 10 });
  assert.deepEqual(
    found.map(({ id }) => id),
    ["w3", "w2"],
  );
  const { sessionId, usd, hasInstructions, resumeFailed, cacheRead, cause, input } = found[0] ?? {};
  assert.deepEqual(
    { sessionId, usd, hasInstructions, resumeFailed, cacheRead, cause, input },
    {
      sessionId: "s",
      usd: 0.25,
      hasInstructions: true,
      resumeFailed: true,
      cacheRead: 7,
      cause: "age",
      input: null,
    },
  );
  assert.deepEqual(
    ledger.ask("wakes", { since: 0, project: "/argo", most: 1 }).map(({ id }) => id),
    ["w3"],
  );
});
