import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, appendEntries } from "../support/support.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const minute = 60_000;

/** @param ago minutes before the service starts */
function call(id: string, ago: number, own: Partial<Extract<LedgerEntry, { kind: "tool-call" }>> = {}) {
  const at = now - ago * minute;
  return { kind: "tool-call", id, sessionId: "s1", at, tool: "Bash", ...own } as const;
}

function hook(id: string, ago: number, own: Partial<Extract<LedgerEntry, { kind: "hook-event" }>> = {}) {
  const at = now - ago * minute;
  const fixed = { kind: "hook-event", id: `hook:${id}`, sessionId: "s1", event: "PreToolUse" } as const;
  return { ...fixed, at, tool: "Bash", call: id, outcome: "none", durationMs: 1, ...own } as const;
}

const session = { kind: "session", id: "s1", program: "claude-code", cwd: "/work", lastAt: now } as const;
const other = { ...session, id: "s2" } as const;

async function unjudged(t: test.TestContext, ...entries: Parameters<typeof appendEntries>[1][]) {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, session, other, ...entries);
  return ledger.ask("unjudgedCalls", now).map(({ id }) => id);
}

test("a call without a hook counts if it came after the last answer of a service", async (t) => {
  const found = await unjudged(
    t,
    call("answered", 30),
    hook("answered", 30),
    call("lost", 20),
    call("failed", 19, { isError: true }),
    call("search", 18, { tool: "WebSearch" }),
    call("later", -1),
    // No hooks are installed where this session runs.
    call("elsewhere", 20, { sessionId: "s2" }),
  );
  assert.deepEqual(found, ["lost", "failed"]);
});

test("a hook without an id belongs to the nearest call of its kind", async (t) => {
  const unnamed = { call: null };
  const found = await unjudged(
    t,
    call("first", 30, { tool: "bash" }),
    hook("1", 30, unnamed),
    call("edit", 29, { tool: "edit" }),
    call("second", 28, { tool: "bash" }),
    hook("2", 28, unnamed),
    call("third", 20, { tool: "bash" }),
  );
  assert.deepEqual(found, ["edit", "third"]);
});

test("while a service answered, a call counts only after a recorded one and if it ran", async (t) => {
  const found = await unjudged(
    t,
    hook("start", 90, { event: "SessionStart", tool: null, call: null }),
    call("before guards", 80),
    call("first", 70),
    hook("first", 70),
    call("in an earlier gap", 60),
    call("refused", 50, { isError: true }),
    call("last", 40),
    hook("last", 40),
  );
  assert.deepEqual(found, ["in an earlier gap"]);
});

test("with a hook for each call, in any order and with or without ids, none is unjudged", async (t) => {
  const minutes = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(minutes, fc.boolean(), async (agos, isNamed) => {
      const entries = agos.flatMap((ago) => [
        call(`c${ago}`, ago),
        hook(`c${ago}`, ago, isNamed ? {} : { call: null }),
      ]);
      assert.deepEqual(await unjudged(t, ...entries), []);
    }),
    { numRuns: 30 },
  );
});
