import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkBudget } from "../../../../src/engine/budgets/check/check.ts";
import { FileSpending } from "../../../../src/engine/budgets/spending/spending-file.ts";
import {
  leaseTime,
  releaseLease,
  renewLease,
  reserveTokens,
} from "../../../../src/engine/budgets/spending/leases.ts";
import { recordUsage } from "../../../../src/engine/budgets/spending/record-usage.ts";
import { MemorySpending } from "../../../../src/engine/budgets/spending/spending-store.ts";
import { callOf, hour, noon, TestClock, valueOf, withBudget } from "../support/ports.ts";

const convoy = (limit: number) => ({
  convoyId: "fleet",
  levels: { convoy: { limit, period: "day" } as const },
});

describe("a lease", () => {
  it("keeps others from what is set aside, and gives back what was not used", async () => {
    const ports = await withBudget(convoy(100));
    const { lease } = valueOf(await reserveTokens(callOf({ projectedTokens: 70 }), ports));
    assert.ok(lease);
    const refused = valueOf(await reserveTokens(callOf({ agentId: "oars", projectedTokens: 31 }), ports));
    assert.deepEqual([refused.lease, refused.answer.reason], [null, "convoy_budget_exceeded"]);
    assert.equal(valueOf(await checkBudget(callOf({ projectedTokens: 30 }), ports)).allowed, true);
    const settle = { call: callOf(), usage: 20, as: { kind: "call", leaseId: lease.id } } as const;
    assert.deepEqual(valueOf(await recordUsage(settle, ports)), { tokens: 20, isNew: true, beyondLease: 0 });
    assert.deepEqual(valueOf(await recordUsage(settle, ports)), {
      tokens: 20,
      isNew: false,
      beyondLease: null,
    });
    const after = valueOf(await checkBudget(callOf({ projectedTokens: 80 }), ports));
    assert.deepEqual([after.allowed, after.remaining?.amount, after.levels[0]?.reserved], [true, 0, 0]);
  });

  it("of a dead agent ends when its time is over, and not before", async () => {
    const clock = new TestClock();
    const ports = await withBudget(convoy(100), { clock });
    valueOf(await reserveTokens(callOf({ projectedTokens: 100 }), ports));
    const ask = async () => valueOf(await reserveTokens(callOf({ projectedTokens: 100 }), ports)).lease;
    clock.time = noon + leaseTime - 1;
    assert.equal(await ask(), null);
    clock.time = noon + leaseTime;
    assert.ok(await ask());
  });

  it("lasts longer when it is renewed, unless it is over", async () => {
    const clock = new TestClock();
    const ports = await withBudget(convoy(100), { clock });
    const { lease } = valueOf(await reserveTokens(callOf({ projectedTokens: 100 }), ports));
    const id = lease?.id ?? "";
    clock.time = noon + leaseTime - 1;
    assert.equal(valueOf(await renewLease(id, ports)).expiresAt, clock.time + leaseTime);
    clock.time = noon + leaseTime + 1;
    assert.equal(valueOf(await checkBudget(callOf(), ports)).allowed, false);
    clock.time = noon + hour;
    const late = await renewLease(id, ports);
    assert.deepEqual([late.ok, late.ok ? "" : late.reason], [false, "not_found"]);
  });

  it("that is over is settled all the same: what was used is a fact", async () => {
    const clock = new TestClock();
    const ports = await withBudget(convoy(100), { clock });
    const { lease } = valueOf(await reserveTokens(callOf({ projectedTokens: 100 }), ports));
    clock.time = noon + hour;
    valueOf(await reserveTokens(callOf({ projectedTokens: 1 }), ports));
    const settle = { call: callOf(), usage: 60, as: { kind: "call", leaseId: lease?.id ?? "" } } as const;
    assert.deepEqual(valueOf(await recordUsage(settle, ports)), {
      tokens: 60,
      isNew: true,
      beyondLease: null,
    });
    assert.equal(valueOf(await recordUsage(settle, ports)).isNew, false);
    assert.equal(valueOf(await checkBudget(callOf(), ports)).levels[0]?.used, 60);
  });

  it("is released once", async () => {
    const ports = await withBudget(convoy(100));
    const { lease } = valueOf(await reserveTokens(callOf({ projectedTokens: 100 }), ports));
    for (let times = 0; times < 2; times += 1) valueOf(await releaseLease(lease?.id ?? "", ports));
    assert.equal(valueOf(await checkBudget(callOf({ projectedTokens: 100 }), ports)).allowed, true);
  });
});

const step = fc.record({
  act: fc.constantFrom("reserve", "settle", "release", "renew", "wait"),
  agent: fc.integer({ min: 0, max: 2 }),
  tokens: fc.integer({ min: 0, max: 60 }),
  wait: fc.integer({ min: 0, max: leaseTime }),
});

it("whatever agents do, no limit is passed, and nothing is ever negative", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = new TestClock();
      const levels = {
        agent: { limit: 90, period: "run" },
        convoy: { limit: 150, period: "week" },
        project: { limit: 140, period: "month" },
      } as const;
      const ports = await withBudget(
        { convoyId: "fleet", levels },
        { clock, spending: new MemorySpending() },
      );
      const held = new Map<number, { id: string; tokens: number; until: number }>();
      for (const { act, agent, tokens, wait } of steps) {
        const call = callOf({ agentId: `a${agent}`, projectedTokens: tokens, runId: "r" });
        const lease = held.get(agent);
        const isHeld = lease !== undefined && lease.until > clock.time;
        if (act === "wait") clock.time += wait;
        if (act === "reserve" && !isHeld) {
          const reserved = valueOf(await reserveTokens(call, ports)).lease;
          if (reserved !== null)
            held.set(agent, { id: reserved.id, tokens: reserved.tokens, until: reserved.expiresAt });
        }
        // An agent that respects its lease: it uses no more tokens, and none after it expires.
        if (act === "settle" && isHeld) {
          const usage = Math.min(tokens, lease.tokens);
          valueOf(await recordUsage({ call, usage, as: { kind: "call", leaseId: lease.id } }, ports));
          held.delete(agent);
        }
        if (act === "release" && isHeld) valueOf(await releaseLease(lease.id, ports));
        if (act === "renew" && isHeld) await renewLease(lease.id, ports);
        const { spending } = ports;
        const answer = valueOf(await checkBudget({ ...call, projectedTokens: 1 }, ports));
        for (const { used, reserved, amount, remaining, over, usagePercent } of answer.levels) {
          assert.ok(used + reserved <= amount, `${used} + ${reserved} of ${amount}`);
          assert.ok(Math.min(used, reserved, remaining, over, usagePercent) >= 0);
        }
        assert.ok(
          valueOf(await spending.read()).usage.every(
            ({ settled, observed }) => settled >= 0 && observed >= 0,
          ),
        );
      }
    }),
    { numRuns: 200 },
  );
});

it("Any caller's report is refused or can be read again: recorded usage cannot be damaged", async () => {
  const words = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "binary", minLength: 190, maxLength: 210 }),
  );
  const numbers = fc.oneof(fc.double(), fc.nat(), fc.integer(), fc.constantFrom(1e12, 2 ** 53));
  const asked = fc.record({
    call: fc.record({
      convoyId: fc.constantFrom("fleet", null),
      agentId: words,
      sessionId: words,
      runId: fc.option(words),
      projectedTokens: numbers,
    }),
    usage: numbers,
    leaseId: fc.option(words),
    day: fc.oneof(words, fc.constant("2026-11-18")),
    time: numbers,
    now: fc.oneof(fc.double({ min: 0, max: 4e12, noNaN: true }), fc.constant(noon)),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ call, usage, leaseId, day, time, now }) => {
      const clock = new TestClock();
      const ports = await withBudget(convoy(1e12), { clock });
      clock.time = now;
      const reserved = await reserveTokens(call, ports, time);
      if (reserved.ok) await renewLease(reserved.value.lease?.id ?? "", ports, time + 1);
      await recordUsage({ call, usage, as: { kind: "call", leaseId } }, ports);
      await recordUsage({ call, usage, as: { kind: "total", day } }, ports);
      const again = new FileSpending(ports);
      assert.deepEqual(valueOf(await again.read()), valueOf(await ports.spending.read()));
    }),
    { numRuns: 300 },
  );
});
