import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeAnswer, type PlannedCall } from "../../../../src/engine/budgets/check/describe-answer.ts";
import type { BudgetReason } from "../../../../src/engine/budgets/check/stop-reason.ts";
import type { BudgetFault } from "../../../../src/engine/budgets/faults.ts";
import type { Levels } from "../../../../src/engine/budgets/budget.ts";
import { createBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { checkBudget, type BudgetPorts } from "../../../../src/engine/budgets/check/check.ts";
import { recordUsage } from "../../../../src/engine/budgets/spending/record-usage.ts";
import { getBudgetReport } from "../../../../src/engine/budgets/budget-report.ts";
import { callOf, hour, noon, TestClock, valueOf, withBudget } from "../support/ports.ts";

async function spend(ports: BudgetPorts, tokens: number, over: Partial<PlannedCall> = {}): Promise<void> {
  valueOf(
    await recordUsage({ call: callOf(over), usage: tokens, as: { kind: "call", leaseId: null } }, ports),
  );
}

async function check(ports: BudgetPorts, over: Partial<PlannedCall> = {}) {
  return valueOf(await checkBudget(callOf(over), ports));
}

const day = { period: "day" } as const;
const limits: Levels = {
  session: { amount: 100, unit: "tokens", ...day },
  agent: { amount: 200, unit: "tokens", ...day },
  convoy: { amount: 300, unit: "tokens", ...day },
  project: { amount: 400, unit: "tokens", ...day },
};
const budget = { convoyId: "fleet", levels: limits };

describe("checkBudget", () => {
  it("allows what fits, and counts the call in", async () => {
    const ports = await withBudget(budget);
    const answer = await check(ports);
    assert.deepEqual(
      [answer.allowed, answer.reason, answer.remaining?.amount, answer.usagePercent, answer.level],
      [true, "ok", 90, 10, "session"],
    );
    assert.deepEqual(
      answer.levels.map(({ level, remaining }) => [level, remaining]),
      [
        ["session", 90],
        ["agent", 190],
        ["convoy", 290],
        ["project", 390],
      ],
    );
  });

  it("allows the last token, and not one more", async () => {
    const ports = await withBudget(budget);
    await spend(ports, 90);
    assert.equal((await check(ports, { projectedTokens: 10 })).allowed, true);
    assert.equal((await check(ports, { projectedTokens: 11 })).allowed, false);
    await spend(ports, 10);
    assert.equal((await check(ports, { projectedTokens: 0 })).allowed, false, "a call uses something");
  });

  it("warns from 80 % on, the call counted in", async () => {
    const ports = await withBudget(budget);
    await spend(ports, 69);
    assert.equal((await check(ports)).reason, "ok");
    await spend(ports, 1);
    const answer = await check(ports);
    assert.deepEqual(
      [answer.allowed, answer.reason, answer.usagePercent, answer.level],
      [true, "warning_threshold", 80, "session"],
    );
  });

  it("warns at the budget's threshold", async () => {
    const ports = await withBudget({ ...budget, warnPercent: 30 });
    await spend(ports, 20);
    assert.equal((await check(ports)).reason, "warning_threshold");
  });

  const others: readonly [string, Partial<PlannedCall>, BudgetReason][] = [
    ["the same session", {}, "session_budget_exceeded"],
    ["another agent of the session", { agentId: "oars" }, "session_budget_exceeded"],
    ["such an agent of another session", { sessionId: "s2" }, "convoy_budget_exceeded"],
    ["another agent of the group", { sessionId: "s2", agentId: "oars" }, "convoy_budget_exceeded"],
    ["another group", { sessionId: "s2", agentId: "oars", convoyId: null }, "project_budget_exceeded"],
  ];
  for (const [name, who, reason] of others)
    it(`denies with ${reason} what ${name} has spent`, async () => {
      const ports = await withBudget(budget);
      await spend(ports, 395, who);
      const answer = await check(ports);
      const narrowest = answer.levels.find(({ over }) => over > 0)?.level;
      assert.equal(answer.allowed, false);
      assert.equal(`${narrowest}_budget_exceeded`, reason);
      assert.equal(answer.remaining?.amount, 0);
      assert.match(
        describeAnswer(answer).text,
        /^(?:Budget exceeded|This call would pass a budget): .+purser budget set fleet --/u,
      );
    });

  for (const [level, reason] of [
    ["session", "session_budget_exceeded"],
    ["agent", "agent_budget_exceeded"],
    ["convoy", "convoy_budget_exceeded"],
    ["project", "project_budget_exceeded"],
  ] as const)
    it(`names the ${level} that decided`, async () => {
      const ports = await withBudget({
        convoyId: "fleet",
        levels: { ...limits, [level]: { amount: 20, unit: "tokens", ...day } },
      });
      await spend(ports, 15);
      const answer = await check(ports);
      assert.deepEqual([answer.reason, answer.level, answer.usagePercent], [reason, level, 125]);
    });

  it("applies the project's limit to convoys without a budget", async () => {
    const ports = await withBudget(budget);
    valueOf(await createBudget({ convoyId: "other" }, ports));
    await spend(ports, 395);
    const answer = await check(ports, { convoyId: "other" });
    assert.deepEqual([answer.reason, answer.levels.at(-1)?.from], ["project_budget_exceeded", "fleet"]);
    assert.equal((await check(ports, { convoyId: null })).reason, "project_budget_exceeded");
  });

  it("omits the remainder if nothing limits", async () => {
    const ports = await withBudget({ convoyId: "fleet" });
    const answer = await check(ports, { convoyId: null });
    assert.deepEqual(
      [answer.allowed, answer.reason, answer.remaining, answer.usagePercent],
      [true, "ok", null, null],
    );
  });

  it("fails for a group without a budget, and for an invalid call", async () => {
    const ports = await withBudget(budget);
    const refused: readonly [Partial<PlannedCall>, BudgetFault][] = [
      [{ convoyId: "nobody" }, "not_found"],
      [{ convoyId: "../x" }, "invalid_id"],
      [{ agentId: "" }, "invalid"],
      [{ projectedTokens: -1 }, "invalid"],
      [{ projectedTokens: 0.5 }, "invalid"],
    ];
    for (const [over, reason] of refused) {
      const asked = await checkBudget(callOf(over), ports);
      assert.ok(!asked.ok);
      assert.equal(asked.reason, reason);
    }
  });

  it("starts again with the period", async () => {
    const clock = new TestClock();
    const periods: Levels = {
      session: { amount: 100, unit: "tokens", period: "run" },
      agent: { amount: 100, unit: "tokens", period: "day" },
      convoy: { amount: 100, unit: "tokens", period: "week" },
      project: { amount: 100, unit: "tokens", period: "month" },
    };
    const ports = await withBudget({ convoyId: "fleet", levels: periods }, { clock });
    await spend(ports, 50, { runId: "r1" });
    const used = async (runId: string) => (await check(ports, { runId })).levels.map((state) => state.used);
    assert.deepEqual(await used("r1"), [50, 50, 50, 50]);
    assert.deepEqual(await used("r2"), [0, 50, 50, 50]);
    clock.time = noon + 12 * hour;
    assert.deepEqual(await used("r1"), [50, 0, 50, 50], "Thursday");
    clock.time = new Date(2026, 10, 23).getTime();
    assert.deepEqual(await used("r1"), [50, 0, 0, 50], "Monday");
    clock.time = new Date(2026, 11, 1).getTime();
    assert.deepEqual((await used("r1")).slice(1), [0, 0, 0], "December");
  });

  it("projects from history when the caller does not", async () => {
    const asked: unknown[] = [];
    const history = {
      recentTokens: (who: unknown) => {
        asked.push(who);
        return Promise.resolve([40, 10, 30, 20, 50]);
      },
    };
    const ports = await withBudget(budget, { history });
    const answer = await check(ports, { projectedTokens: null, model: "m" });
    assert.deepEqual([answer.projected.tokens, answer.projected.runs, answer.remaining?.amount], [50, 5, 50]);
    assert.deepEqual(asked, [{ agentId: "helm", model: "m" }]);
  });
});

describe("recordUsage", () => {
  const total = { kind: "total" } as const;

  it("counts the API's usage without tokens read from the cache", async () => {
    const ports = await withBudget(budget);
    const usage = { input: 1, output: 2, cacheCreation5m: 3, cacheCreation1h: 4, cacheRead: 1000 };
    const recorded = await recordUsage({ call: callOf(), usage, as: total }, ports);
    assert.equal(valueOf(recorded).tokens, 10);
  });

  it("counts a total once however often it is reported, and the same caller's calls with it", async () => {
    const ports = await withBudget(budget);
    const used = async () => (await check(ports)).levels[0]?.used;
    for (const tokens of [30, 30, 20])
      valueOf(await recordUsage({ call: callOf(), usage: tokens, as: total }, ports));
    assert.equal(await used(), 30);
    await spend(ports, 25);
    assert.equal(await used(), 30);
    await spend(ports, 25);
    assert.equal(await used(), 50);
  });

  it("records also what no budget allowed", async () => {
    const ports = await withBudget(budget);
    await spend(ports, 5000, { convoyId: "nobody" });
    assert.equal((await check(ports)).reason, "project_budget_exceeded");
  });

  it("rejects invalid token counts", async () => {
    const ports = await withBudget(budget);
    for (const usage of [-1, 0.5, NaN, Infinity, 1e13]) {
      const recorded = await recordUsage({ call: callOf(), usage, as: total }, ports);
      assert.ok(!recorded.ok);
      assert.equal(recorded.reason, "invalid");
    }
  });
});

it("getBudgetReport lists each agent and session, and unused limits", async () => {
  const ports = await withBudget({
    convoyId: "fleet",
    levels: { ...limits, session: { amount: 100, unit: "tokens", period: "run" } },
  });
  const lines = async () =>
    valueOf(await getBudgetReport("fleet", ports)).levels.map(({ level, subject, used }) => [
      level,
      subject,
      used,
    ]);
  assert.deepEqual(await lines(), [
    ["session", null, 0],
    ["agent", null, 0],
    ["convoy", "fleet", 0],
    ["project", null, 0],
  ]);
  await spend(ports, 150);
  await spend(ports, 20, { agentId: "oars", sessionId: "s2" });
  await spend(ports, 7, { convoyId: null, agentId: "oars", sessionId: "s3" });
  assert.deepEqual((await lines()).toSorted(), [
    ["agent", "helm", 150],
    ["agent", "oars", 20],
    ["convoy", "fleet", 170],
    ["project", null, 177],
    ["session", "s1", 150],
    ["session", "s2", 20],
  ]);
});
