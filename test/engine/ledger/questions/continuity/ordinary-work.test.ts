import assert from "node:assert/strict";
import test from "node:test";
import { scratchFolder } from "../../../support/scratch.ts";
import { appendEntries, open, response } from "../../support/support.ts";

const hour = 3_600_000;

test("Ordinary sessions are counted by program, with those that a person returned to, and without wakes", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const of = (sessionId: string, number: number, at: number, over = {}) =>
    response(number, { sessionId, at, model: "ship-1", ...over });
  await appendEntries(
    ledger,
    { kind: "session", id: "short", program: "claude-code", cwd: "/argo" },
    { kind: "session", id: "long", program: "claude-code", cwd: "/argo/stern" },
    { kind: "session", id: "other", program: "codex", cwd: "/argonaut" },
    { kind: "session", id: "woken", program: "claude-code", cwd: "/argo" },
    of("short", 1, 10 * hour),
    of("short", 2, 10.9 * hour),
    of("long", 3, 10 * hour),
    of("long", 4, 12 * hour),
    of("long", 5, 20 * hour),
    of("long", 6, 30 * hour, { isSidechain: true }),
    of("other", 7, 10 * hour),
    of("other", 8, 2 * hour),
    of("woken", 9, 10 * hour),
    {
      kind: "wake",
      id: "w",
      agent: "keeper",
      project: "/argo",
      program: "claude",
      model: "m",
      source: "timer",
      at: 1,
      endedAt: 2,
      sessionId: "woken",
      reason: "first",
      resumeFailed: false,
      outcome: "completed",
      turns: 1,
      fetchMode: "none",
      fullFetches: 0,
      deltaFetches: 0,
      summaryFetches: 0,
      promptChars: 1,
      instructionsChars: 1,
    },
  );
  const counts = (project: string | null) =>
    ledger
      .ask("ordinaryWork", { since: 5 * hour, project })
      .map(({ program, sessions, returned, returns, usage }) => [
        program,
        sessions,
        returned,
        returns,
        usage.map(({ model }) => model),
      ]);
  assert.deepEqual(counts(null), [
    ["claude-code", 2, 1, 2, ["ship-1"]],
    ["codex", 1, 0, 0, ["ship-1"]],
  ]);
  assert.deepEqual(counts("/argo"), [["claude-code", 2, 1, 2, ["ship-1"]]]);
  const { usage: single } = { usage: ledger.ask("responses", "short")[0]?.usage };
  const [claude] = ledger.ask("ordinaryWork", { since: 5 * hour, project: null });
  assert.equal(claude?.usage[0]?.usage.input, 5 * (single?.input ?? Number.NaN));
});
