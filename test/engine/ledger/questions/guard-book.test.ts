import assert from "node:assert/strict";
import test from "node:test";
import { scratchFolder } from "../../support/scratch.ts";
import { open, appendEntries } from "../support/support.ts";

test("guard rules are counted since a time, whatever was done", async (t) => {
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
