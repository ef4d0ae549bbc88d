import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { NewBudget } from "../../../src/engine/budget/budget.ts";
import { createBudget } from "../../../src/engine/budget/budget-store.ts";
import { noHistory } from "../../../src/engine/budget/projection.ts";
import { recordTotals } from "../../../src/engine/budget/record-totals.ts";
import { setLimit } from "../../../src/engine/budget/set-limit.ts";
import { formatDay } from "../../../src/engine/usage/local-day.ts";
import { BudgetDesk } from "../../../src/engine/service/budget-desk.ts";
import { projectBudgets } from "../../../src/engine/service/project-budgets.ts";
import { systemClock as clock } from "../../../src/engine/base/clock.ts";
import { valueOf } from "../budget/support/ports.ts";
import { scratchFolder } from "../support/scratch.ts";
import { waitFor } from "../support/wait-for.ts";
import { machine } from "./support/box.ts";

const today = formatDay(new Date());
const fleet: NewBudget = {
  convoyId: "fleet",
  levels: { convoy: { limit: 50_000, period: "day" }, agent: { limit: 45_000, period: "day" } },
};

/** A project on a branch, and a desk of a service that is not the only process there. */
function scene(t: TestContext, branch = "fleet") {
  const project = path.join(scratchFolder(t), "argo");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  const checkOut = (name: string) =>
    writeFileSync(path.join(project, ".git", "HEAD"), `ref: refs/heads/${name}\n`);
  checkOut(branch);
  const budgetsOf = (of: string) =>
    projectBudgets(of, { pid: process.pid, machine, clock, history: noHistory });
  const others = budgetsOf(project);
  const problems: string[] = [];
  const desk = new BudgetDesk({ budgetsOf, clock, onProblem: (message) => void problems.push(message) });
  const used = (agentId: string, tokens: number, convoyId: string | null = "fleet") =>
    recordTotals([{ sessionId: `s-${agentId}`, agentId, day: today, tokens, convoyId }], others);
  const spender = (agentId = "main") => ({ sessionId: "s1", agentId, cwd: path.join(project, "stern") });
  const reasonFor = async (agentId = "main") => {
    const checked = await desk.check(spender(agentId));
    return checked === null ? null : checked.ok ? checked.value.reason : checked.reason;
  };
  mkdirSync(path.join(project, "stern"));
  return { project, checkOut, others, desk, problems, used, spender, reasonFor };
}

describe("the desk for hooks", () => {
  it("knows at once what another process created, used, raised or damaged", async (t) => {
    const { others, used, reasonFor, project } = scene(t);
    assert.equal(await reasonFor(), null);
    valueOf(await createBudget(fleet, others));
    await waitFor(async () => (await reasonFor()) === "ok");
    await used("main", 40_000);
    await waitFor(async () => (await reasonFor()) === "warning_threshold");
    await used("main", 45_000);
    await waitFor(async () => (await reasonFor()) === "agent_budget_exceeded");
    assert.equal(await reasonFor("Explore"), "warning_threshold");
    await used("Explore", 5000);
    await waitFor(async () => (await reasonFor("Plan")) === "convoy_budget_exceeded");
    valueOf(await setLimit({ convoyId: "fleet", level: "convoy", limit: 1_000_000 }, others));
    valueOf(await setLimit({ convoyId: "fleet", level: "agent", limit: 1_000_000 }, others));
    await waitFor(async () => (await reasonFor()) === "ok");
    writeFileSync(path.join(project, ".purser", "budgets", "fleet.json"), "{}");
    await waitFor(async () => (await reasonFor()) === "corrupt");
  });

  it("knows the convoy by the branch, which may change, and its session's in a subagent's own worktree", async (t) => {
    const { others, used, reasonFor, desk, checkOut, spender } = scene(t, "main");
    valueOf(await createBudget(fleet, others));
    await used("oars", 50_000);
    assert.equal(await reasonFor(), "ok");
    checkOut("fleet");
    await waitFor(async () => (await reasonFor()) === "convoy_budget_exceeded");
    const worktree = path.join(path.dirname(spender().cwd), ".claude", "worktrees", "w1");
    mkdirSync(worktree, { recursive: true });
    writeFileSync(path.join(worktree, "HEAD"), "");
    const inside = await desk.check({ ...spender("Explore"), cwd: worktree });
    assert.ok(inside?.ok === true && inside.value.reason === "convoy_budget_exceeded");
  });

  it("begins no more subagents at once than there is room for, and gives back what shows itself", async (t) => {
    const { others, desk, spender, problems } = scene(t);
    valueOf(await createBudget(fleet, others));
    // Each is projected at 20,000.
    const begun = await Promise.all([1, 2, 3].map(() => desk.begin(spender("Explore"), "hard")));
    const allowed = begun.filter((each) => each?.ok === true && each.value.allowed);
    assert.equal(allowed.length, 2);
    desk.begun(spender("Explore"));
    const again = async () => {
      const asked = await desk.begin(spender("Explore"), "hard");
      return asked?.ok === true && asked.value.allowed;
    };
    await waitFor(again);
    assert.equal(await again(), false);
    const { leases } = valueOf(await others.spending.read());
    assert.deepEqual(
      leases.map(({ convoyId, agentId, tokens }) => [convoyId, agentId, tokens]),
      [
        ["fleet", "Explore", 20_000],
        ["fleet", "Explore", 20_000],
      ],
    );
    assert.deepEqual(problems, []);
  });

  it("sets nothing aside where a limit is only told", async (t) => {
    const { others, desk, spender } = scene(t);
    valueOf(await createBudget(fleet, others));
    const asked = await desk.begin(spender("Explore"), "warn");
    assert.ok(asked?.ok === true && asked.value.projected.tokens === 20_000);
    assert.deepEqual(valueOf(await others.spending.read()).leases, []);
  });

  it("limits nothing where no budget is, nor where the folder is none", async (t) => {
    const { desk, spender } = scene(t);
    assert.equal(await desk.begin(spender("Explore"), "hard"), null);
    assert.equal(await desk.check({ ...spender(), cwd: "stern" }), null);
  });
});
