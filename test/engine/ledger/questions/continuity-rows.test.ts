import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, open } from "../support/support.ts";

type DiffEntry = Extract<LedgerEntry, { kind: "compaction-diff" }>;
type PutBack = Extract<LedgerEntry, { kind: "put-back" }>;

const item = (id: string, fate: string) => ({
  id: id.padStart(12, "0"),
  kind: "file",
  text: `src/${id}.ts`,
  turn: 2,
  fate,
});
const items = [item("a", "kept"), item("b", "lost"), item("c", "told"), item("d", "lost")];

function diff(id: string, over: Partial<DiffEntry> = {}): DiffEntry {
  return {
    kind: "compaction-diff",
    id,
    sessionId: "s",
    program: "codex",
    trigger: "auto",
    at: 1000,
    items: JSON.stringify(items),
    ...over,
  };
}

function putBack(itemId: string, over: Partial<PutBack>): PutBack {
  const id = itemId.padStart(12, "0");
  return { kind: "put-back", id: `one:${id}`, sessionId: "s", diffId: "one", itemId: id, ...over };
}

test("A session's compactions are listed with the lost facts, and with those put back", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    diff("one"),
    diff("two", { at: 2000, items: "no JSON" }),
    diff("other", { sessionId: "t" }),
    putBack("b", { chosenAt: 1100 }),
  );
  const ask = () => ledger.ask("compactionDiffs", "s");
  const backOf = () => ask()[1]?.lost.map(({ text, back }) => [text, back]);
  assert.deepEqual(
    ask().map(({ id, at, program, trigger, kept }) => ({ id, at, program, trigger, kept })),
    [
      { id: "two", at: 2000, program: "codex", trigger: "auto", kept: [] },
      {
        id: "one",
        at: 1000,
        program: "codex",
        trigger: "auto",
        kept: [{ id: "00000000000a", kind: "file", text: "src/a.ts", turn: 2 }],
      },
    ],
  );
  assert.deepEqual(backOf(), [
    ["src/b.ts", "chosen"],
    ["src/c.ts", "told"],
    ["src/d.ts", null],
  ]);
  await appendEntries(ledger, putBack("b", { givenAt: 1200 }), putBack("d", { chosenAt: 1300 }));
  assert.deepEqual(backOf(), [
    ["src/b.ts", "given"],
    ["src/c.ts", "told"],
    ["src/d.ts", "chosen"],
  ]);
  const heads = ledger
    .ask("recentCompactions", 2)
    .map(({ id, sessionId, kept, lost, back }) => ({ id, sessionId, kept, lost, back }));
  assert.deepEqual(heads, [
    { id: "two", sessionId: "s", kept: 0, lost: 0, back: 0 },
    { id: "other", sessionId: "t", kept: 1, lost: 3, back: 1 },
  ]);
  const page = ledger.ask("sessionPage", "s", { catalogue: builtInCatalogue, dayOf: localDays() });
  assert.deepEqual(page?.compactionDiffs, ask());
});

test("A stored compaction is returned unchanged, whatever the order of entries", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await fc.assert(
    fc.asyncProperty(
      fc.uuid(),
      fc.array(fc.record({ at: fc.integer({ min: 0, max: 9 }), text: fc.string({ maxLength: 40 }) }), {
        maxLength: 5,
      }),
      async (sessionId, diffs) => {
        await appendEntries(
          ledger,
          ...diffs.map(({ at, text }, index) =>
            diff(`${sessionId}:${index}`, { sessionId, at, items: text }),
          ),
        );
        const found = ledger.ask("compactionDiffs", sessionId);
        assert.deepEqual(
          found.map(({ at }) => at),
          diffs.map(({ at }) => at).toSorted((one, other) => other - one),
        );
        for (const { kept, lost } of found) assert.deepEqual([...kept, ...lost], []);
      },
    ),
    { numRuns: 30 },
  );
});

type PacketEntry = Extract<LedgerEntry, { kind: "resume-packet" }>;

function packet(sessionId: string, at: number, over: Partial<PacketEntry> = {}): PacketEntry {
  return {
    kind: "resume-packet",
    sessionId,
    occasion: "end",
    at,
    turn: 3,
    program: "claude-code",
    folder: "/shop",
    branch: "main",
    packet: `${sessionId} at ${at}`,
    ...over,
  };
}

test("the newest packets of other sessions on the same project and branch are found, within their time", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    packet("a", 1000),
    packet("b", 2000),
    packet("c", 3000, { branch: "other" }),
    packet("d", 4000, { folder: "/elsewhere" }),
    packet("e", 5000, { branch: null }),
  );
  const newest = (since: number, except: string, branch: string | null = "main", most = 5, until = 10_000) =>
    ledger.ask("newestPackets", { folder: "/shop", branch, since, until, except, most });
  assert.deepEqual(newest(0, "new"), ["b at 2000", "a at 1000"]);
  assert.deepEqual(newest(0, "new", "main", 1), ["b at 2000"]);
  assert.deepEqual(newest(0, "b"), ["a at 1000"]);
  assert.deepEqual(newest(2001, "new"), []);
  assert.deepEqual(newest(0, "new", null), ["e at 5000"]);
  // The clock was two years ahead when b was worked on.
  assert.deepEqual(newest(0, "new", "main", 5, 1500), ["a at 1000", "b at 2000"]);
});

test("a session has one packet per occasion, and its newest is returned", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    packet("a", 1000, { occasion: "turns", turn: 20 }),
    packet("a", 2000, { occasion: "turns", turn: 40 }),
    packet("a", 1500, { occasion: "compaction", turn: 30 }),
  );
  assert.equal(ledger.ask("packetOf", "a"), "a at 2000");
  assert.equal(ledger.ask("packetOf", "b"), null);
});

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
