import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BudgetPorts } from "../../../src/engine/budget/check-budget.ts";
import { reserveTokens } from "../../../src/engine/budget/leases.ts";
import { recordTotals, type DayTotal } from "../../../src/engine/budget/record-totals.ts";
import { recordUsage } from "../../../src/engine/budget/record-usage.ts";
import { tokensOf } from "../../../src/engine/budget/spending.ts";
import { callOf, TestClock, valueOf, withBudget } from "./support/ports.ts";

const today = "2026-11-18";

function total(agentId: string, tokens: number, over: Partial<DayTotal> = {}): DayTotal {
  return { sessionId: "s1", agentId, day: today, tokens, ...over };
}

async function rowsOf({ spending }: BudgetPorts): Promise<string[]> {
  const { usage } = valueOf(await spending.read());
  return usage
    .map((row) => `${row.day} ${row.convoyId} ${row.sessionId} ${row.agentId} ${tokensOf(row)}`)
    .sort();
}

describe("totals that the ledger tells", () => {
  it("are exact as they grow, and told twice count once", async () => {
    const ports = await withBudget({ convoyId: "fleet" });
    const first = [total("main", 100), total("Explore", 40), total("main", 7, { day: "2026-11-17" })];
    assert.equal(valueOf(await recordTotals(first, ports)).isNew, true);
    assert.equal(valueOf(await recordTotals(first, ports)).isNew, false);
    await recordTotals([total("main", 130), total("Explore", 90)], ports);
    assert.deepEqual(await rowsOf(ports), [
      "2026-11-17 null s1 main 7",
      "2026-11-18 null s1 Explore 90",
      "2026-11-18 null s1 main 130",
    ]);
  });

  it("are of the convoy that a call of the session was told under", async () => {
    const ports = await withBudget({ convoyId: "fleet" });
    valueOf(await reserveTokens(callOf({ sessionId: "s1" }), ports));
    await recordTotals([total("main", 100), total("main", 5, { sessionId: "s2" })], ports);
    assert.deepEqual(await rowsOf(ports), ["2026-11-18 fleet s1 main 100", "2026-11-18 null s2 main 5"]);
  });

  it("never count what was counted under another agent's, run's or convoy's name", async () => {
    const ports = await withBudget({ convoyId: "fleet" });
    await recordTotals([total("subagent", 50), total("main", 100)], ports);
    // The type became known, a benchmark told a call of its own, and with it the convoy.
    await recordUsage(
      { call: callOf({ runId: "r1" }), usage: 30, as: { kind: "call", leaseId: null } },
      ports,
    );
    await recordTotals([total("Explore", 50), total("main", 200)], ports);
    const rows = await rowsOf(ports);
    assert.equal(
      rows.reduce((sum, row) => sum + Number(row.split(" ").at(-1)), 0),
      250,
    );
    assert.deepEqual(rows, [
      "2026-11-18 fleet s1 Explore 50",
      "2026-11-18 fleet s1 helm 30",
      "2026-11-18 fleet s1 main 20",
      "2026-11-18 null s1 main 100",
      "2026-11-18 null s1 subagent 50",
    ]);
  });

  it("of days that are in no period any more, and with names that fit nowhere, are left out", async () => {
    const ports = await withBudget({ convoyId: "fleet" }, { clock: new TestClock() });
    const told = [total("main", 9, { day: "2026-10-31" }), total("x".repeat(201), 8), total("main", 3)];
    const { refused } = valueOf(await recordTotals(told, ports));
    assert.deepEqual(refused, ["agentId needs 1 to 200 characters"]);
    assert.deepEqual(await rowsOf(ports), ["2026-11-18 null s1 main 3"]);
  });
});
