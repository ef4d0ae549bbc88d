import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import { answerTo, type BudgetAnswer } from "../../../src/engine/budget/answer.ts";
import type { BudgetFault, Budgeted } from "../../../src/engine/budget/budget-faults.ts";
import { budgetModes, type BudgetMode } from "../../../src/engine/budget/budget-mode.ts";
import { levelNames } from "../../../src/engine/budget/budget.ts";
import { givenProjection } from "../../../src/engine/budget/projection.ts";
import { budgetHandler, type HookSpender } from "../../../src/engine/guard/budget-handler.ts";
import { outcomeOf, type HookAnswer } from "../../../src/engine/guard/hook-answer.ts";
import { readHook } from "../../../src/engine/guard/hook-event.ts";
import { isNamed } from "../../../src/engine/guard/hook-event.ts";
import { Restarts } from "./support/restarts.ts";

const now = new Date(2026, 10, 18, 12).getTime();

/** As the budget of an agent that used so many of 100 tokens says. */
function answered(used: number, level: (typeof levelNames)[number] = "agent"): BudgetAnswer {
  const spender = { convoyId: "fleet", agentId: "main", sessionId: "s-1", runId: "s-1" };
  const row = { ...spender, day: "2026-11-18", settled: used, observed: 0, at: now };
  return answerTo(
    [{ level, limit: 100, period: "day", warnPercent: 80, from: "fleet" }],
    givenProjection(1),
    { spending: { usage: [row], leases: [], recorded: [] }, spender, now },
  );
}

interface Scene {
  readonly mode?: BudgetMode;
  readonly check?: () => Budgeted<BudgetAnswer> | null;
  readonly begin?: () => Budgeted<BudgetAnswer> | null;
}

function scene({ mode = "hard", check = () => null, begin = () => null }: Scene) {
  const asked: HookSpender[] = [];
  const begun: HookSpender[] = [];
  const problems: string[] = [];
  const kept = new Restarts((memory) =>
    budgetHandler({
      memory,
      mode: () => mode,
      check: (spender) => {
        asked.push(spender);
        return Promise.resolve(check());
      },
      begin: (spender) => {
        asked.push(spender);
        return Promise.resolve(begin());
      },
      begun: (spender) => void begun.push(spender),
      onProblem: (message) => void problems.push(message),
    }),
  );
  const say = async (name: string, more: object = {}): Promise<HookAnswer | null> => {
    const read = readHook({ session_id: "s-1", cwd: "/argo", hook_event_name: name, ...more });
    const event = read?.event ?? null;
    const handler = kept.handlers;
    assert.ok(event !== null && isNamed(event, handler.events));
    return await handler.answer(event);
  };
  /** The service ends, and another begins. */
  const restart = () => kept.restart();
  return { say, asked, begun, problems, restart };
}

const passed =
  '[agent_budget_exceeded] Token budget exceeded: the agent "main" has used 100 of 100 tokens today. ' +
  "To raise it: purser budget set fleet --agent TOKENS";

describe("a budget whose limit is passed", () => {
  it("refuses the next tool and the next prompt where limits are hard, with the reason and the remedy", async () => {
    const { say } = scene({ check: () => succeed(answered(100)) });
    const rule = "budget:agent_budget_exceeded";
    for (const name of ["PreToolUse", "PreToolUse"])
      assert.deepEqual(await say(name, { tool_name: "Bash" }), {
        permission: { decision: "deny", reason: passed },
        rule,
      });
    assert.deepEqual(await say("UserPromptSubmit", { prompt: "Go." }), { block: passed, rule });
    assert.deepEqual(await say("SubagentStart", { agent_id: "a1", agent_type: "Explore" }), {
      context: passed,
      rule,
    });
  });

  it("is told once where it is only told", async () => {
    const { say } = scene({ mode: "warn", check: () => succeed(answered(100)) });
    const told = await say("PreToolUse", { tool_name: "Bash" });
    assert.deepEqual(told, { context: passed, notice: passed, rule: "budget:agent_budget_exceeded" });
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
    assert.equal(await say("UserPromptSubmit"), null);
  });

  it("is nothing to an agent where budgets are off, and not even looked at", async () => {
    const { say, asked } = scene({ mode: "off", check: () => succeed(answered(100)) });
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
    assert.deepEqual(asked, []);
  });

  it("warns before, once, also where limits are hard", async () => {
    let used = 80;
    const { say, restart } = scene({ check: () => succeed(answered(used)) });
    const told = await say("PreToolUse", { tool_name: "Bash" });
    assert.match(told?.context ?? "", /^\[warning_threshold\] Token budget nearly used: /u);
    restart();
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
    used = 10;
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
  });
});

describe("who spends", () => {
  it("is the main agent, a subagent's type, or the one that is about to begin", async () => {
    const { say, asked } = scene({});
    await say("PreToolUse", { tool_name: "Bash" });
    await say("PreToolUse", { tool_name: "Bash", agent_id: "a1", agent_type: "Explore" });
    await say("PreToolUse", { tool_name: "Bash", agent_id: "a2" });
    await say("PreToolUse", { tool_name: "Agent", tool_input: { subagent_type: "Plan" } });
    await say("PreToolUse", { tool_name: "Task", tool_input: 7 });
    assert.deepEqual(
      asked.map(({ agentId }) => agentId),
      ["main", "Explore", "subagent", "main", "Plan", "main", "general-purpose"],
    );
  });

  it("is not asked about where no folder is told", async () => {
    const { say, asked } = scene({ check: () => succeed(answered(100)) });
    assert.equal(await say("PreToolUse", { tool_name: "Bash", cwd: undefined }), null);
    assert.deepEqual(asked, []);
  });

  it("keeps a subagent from beginning that would pass a limit", async () => {
    const { say } = scene({ begin: () => succeed(answered(100, "convoy")) });
    const told = await say("PreToolUse", { tool_name: "Agent", tool_input: { subagent_type: "Plan" } });
    assert.equal(told?.permission?.decision, "deny");
    assert.match(told.permission.reason, /^\[convoy_budget_exceeded\]/u);
  });

  it("shows that it has begun by its first hook, once", async () => {
    const { say, begun } = scene({});
    const about = { tool_name: "Bash", agent_id: "a1", agent_type: "Explore" };
    await say("SubagentStart", about);
    assert.equal(begun.length, 0);
    for (const name of ["PreToolUse", "PreToolUse", "SubagentStop"]) await say(name, about);
    await say("SubagentStop", { ...about, agent_id: "a2" });
    assert.deepEqual(
      begun.map(({ agentId }) => agentId),
      ["Explore", "Explore"],
    );
  });
});

describe("a budget that is not known", () => {
  const corrupt = () =>
    fail("corrupt", "/argo/.purser/budgets/fleet.json cannot be used: it is empty; get it back");

  it("stops the agent where limits are hard: a damaged file is never no budget", async () => {
    const { say } = scene({ check: corrupt });
    const told = await say("PreToolUse", { tool_name: "Bash" });
    assert.equal(told?.permission?.decision, "deny");
    assert.match(told.permission.reason, /^\[budget_corrupt\] .*fleet\.json cannot be used.*get it back/u);
    assert.equal((await say("UserPromptSubmit"))?.block, told.permission.reason);
  });

  it("is told once where limits are only told", async () => {
    const { say } = scene({ mode: "warn", check: corrupt });
    const told = await say("PreToolUse", { tool_name: "Bash" });
    assert.deepEqual(Object.keys(told ?? {}), ["context", "notice", "rule"]);
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
  });

  it("stops nobody for any other reason", async () => {
    const others: BudgetFault[] = ["unusable", "busy", "not_found", "changed", "invalid", "invalid_id"];
    for (const reason of others) {
      const { say, problems } = scene({ check: () => fail(reason, "the disk is full") });
      assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
      assert.deepEqual(problems, ["Budgets were not asked: the disk is full"]);
    }
  });
});

it("Only limits that are hard ever stop a call, and only when one is passed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...budgetModes),
      fc.constantFrom(...levelNames),
      fc.nat({ max: 200 }),
      fc.constantFrom("PreToolUse", "UserPromptSubmit", "SubagentStart"),
      fc.anything(),
      async (mode, level, used, name, input) => {
        const { say } = scene({ mode, check: () => succeed(answered(used, level)) });
        const told = await say(name, { tool_name: "Agent", tool_input: input, agent_type: "Explore" });
        const outcome = told === null ? "none" : outcomeOf(told);
        const isStopped = outcome === "deny" || outcome === "block";
        assert.equal(isStopped, mode === "hard" && used >= 100 && name !== "SubagentStart");
      },
    ),
  );
});
