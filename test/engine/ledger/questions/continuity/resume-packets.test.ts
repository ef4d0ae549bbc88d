import assert from "node:assert/strict";
import test from "node:test";
import type { LedgerEntry } from "../../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { appendEntries, open } from "../../support/support.ts";

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
