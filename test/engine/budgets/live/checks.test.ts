import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { NewBudget } from "../../../../src/engine/budgets/budget.ts";
import { describeAnswer } from "../../../../src/engine/budgets/check/describe-answer.ts";
import { createBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { noHistory } from "../../../../src/engine/budgets/projection.ts";
import { recordUsage } from "../../../../src/engine/budgets/spending/record-usage.ts";
import { setLimit } from "../../../../src/engine/budgets/convoys/members.ts";
import { noLiveAccounts, type LiveAccounts } from "../../../../src/engine/sessions/live/own-catalogues.ts";
import { liveReader } from "../../../../src/engine/transcripts/claude/live-reader.ts";
import { SessionAccount } from "../../../../src/engine/sessions/live/account.ts";
import type { CallRequest } from "../../../../src/engine/budgets/check/check.ts";
import type { TranscriptEvent } from "../../../../src/engine/transcripts/agent-session.ts";
import { formatDay } from "../../../../src/engine/usage/local-day.ts";
import { BudgetChecks } from "../../../../src/engine/budgets/live/checks.ts";
import { projectBudgets } from "../../../../src/engine/budgets/live/project.ts";
import { valueOf } from "../support/ports.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitFor } from "../../support/wait-for.ts";
import { machine } from "../../service/support/box.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue.ts";

const clock = { now: () => new Date(2026, 10, 18, 12).getTime() };
const fleet: NewBudget = {
  convoyId: "fleet",
  levels: { convoy: { limit: 50_000, period: "day" }, agent: { limit: 45_000, period: "day" } },
};
const once = { isPrompt: false, added: 0, calls: 1, toolUse: null } as const;

/** A project on a branch, and the budget checks of a service that is not the only process there. */
function scene(
  t: TestContext,
  {
    branch = "fleet",
    live = noLiveAccounts,
    paused = () => undefined,
  }: { branch?: string; live?: LiveAccounts; paused?: () => void } = {},
) {
  const folder = scratchFolder(t);
  const project = path.join(folder, "argo");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  const checkOut = (name: string) =>
    writeFileSync(path.join(project, ".git", "HEAD"), `ref: refs/heads/${name}\n`);
  checkOut(branch);
  const budgetsOf = (of: string) =>
    projectBudgets(of, {
      pid: process.pid,
      machine,
      clock,
      history: noHistory,
      apart: { folder: path.join(folder, "spending"), isTrusted: null },
    });
  const others = budgetsOf(project);
  const problems: string[] = [];
  const reckoned: (readonly [string, boolean])[] = [];
  const checks = new BudgetChecks({
    budgetsOf,
    sync: (of, { isDoubted = false }) => {
      reckoned.push([of, isDoubted]);
      return Promise.resolve();
    },
    live,
    pause: () => {
      paused();
      return Promise.resolve();
    },
    clock,
    catalogue: () => builtInCatalogue,
    onProblem: (message) => void problems.push(message),
  });
  /** Records usage in the session under test. */
  const used = (agentId: string, usage: number, convoyId: string | null = "fleet") =>
    recordUsage({ call: { sessionId: "s1", agentId, convoyId }, usage, as: { kind: "total" } }, others);
  const spender = (agentId = "main", agentType: string | null = null) => {
    return { sessionId: "s1", agentId, agentType, cwd: path.join(project, "stern") };
  };
  const reasonFor = async (agentId = "main") => {
    const checked = await checks.check(spender(agentId), once);
    return checked === null ? null : checked.ok ? checked.value.answer.reason : checked.reason;
  };
  mkdirSync(path.join(project, "stern"));
  return { project, checkOut, others, checks, problems, reckoned, used, spender, reasonFor };
}

describe("the budget checks for hooks", () => {
  it("notices at once what another process created, used, raised or damaged", async (t) => {
    const { others, used, reasonFor, project } = scene(t);
    assert.equal(await reasonFor(), null);
    valueOf(await createBudget(fleet, others));
    await waitFor(async () => (await reasonFor()) === "ok");
    await used("main", 40_000);
    await waitFor(async () => (await reasonFor()) === "warning_threshold");
    await used("main", 45_000);
    await waitFor(async () => (await reasonFor()) === "agent_budget_exceeded");
    assert.equal(await reasonFor("a1"), "warning_threshold");
    await used("a1", 5000);
    await waitFor(async () => (await reasonFor("a2")) === "convoy_budget_exceeded");
    valueOf(
      await setLimit({ convoyId: "fleet", level: "convoy", amount: 1_000_000, unit: "tokens" }, others),
    );
    valueOf(await setLimit({ convoyId: "fleet", level: "agent", amount: 1_000_000, unit: "tokens" }, others));
    await waitFor(async () => (await reasonFor()) === "ok");
    writeFileSync(path.join(project, ".purser", "budgets", "fleet.json"), "{}");
    await waitFor(async () => (await reasonFor()) === "corrupt");
  });

  it("finds the group by the branch, which may change; in a subagent's own worktree by its session's", async (t) => {
    const { others, used, reasonFor, checks, checkOut, spender } = scene(t, { branch: "main" });
    valueOf(await createBudget(fleet, others));
    await used("oars", 50_000);
    assert.equal(await reasonFor(), "ok");
    checkOut("fleet");
    await waitFor(async () => (await reasonFor()) === "convoy_budget_exceeded");
    const worktree = path.join(path.dirname(spender().cwd), ".claude", "worktrees", "w1");
    mkdirSync(worktree, { recursive: true });
    writeFileSync(path.join(worktree, "HEAD"), "");
    const inside = await checks.check({ ...spender("a1", "Explore"), cwd: worktree }, once);
    assert.ok(inside?.ok === true && inside.value.answer.reason === "convoy_budget_exceeded");
  });

  it("starts only as many subagents as there is room for, and releases reservations once usage shows", async (t) => {
    const { others, checks, spender, problems } = scene(t);
    valueOf(await createBudget(fleet, others));
    // Each is projected to use 20,000.
    const names = ["new 1", "new 2", "new 3"];
    const started = await Promise.all(
      names.map((name) => checks.reserveSubagent(spender(name, "Explore"), "hard")),
    );
    const allowed = names.filter((_name, at) => {
      const answer = started[at];
      return answer?.ok === true && answer.value.allowed;
    });
    assert.equal(allowed.length, 2);
    checks.releaseSubagent(spender("a1", "Explore"));
    const again = async () => {
      const asked = await checks.reserveSubagent(spender("new 4", "Explore"), "hard");
      return asked?.ok === true && asked.value.allowed;
    };
    await waitFor(again);
    assert.equal(await again(), false);
    const { leases } = valueOf(await others.spending.read());
    // Whichever of the two concurrent requests came first.
    const [left = ""] = leases.map(({ agentId }) => agentId);
    assert.ok(allowed.includes(left));
    assert.deepEqual(
      leases.map(({ convoyId, agentId, tokens }) => [convoyId, agentId, tokens]),
      [
        ["fleet", left, 20_000],
        ["fleet", "new 4", 20_000],
      ],
    );
    assert.deepEqual(problems, []);
  });

  it("reserves nothing in warn mode", async (t) => {
    const { others, checks, spender } = scene(t);
    valueOf(await createBudget(fleet, others));
    const asked = await checks.reserveSubagent(spender("new 1", "Explore"), "warn");
    assert.ok(asked?.ok === true && asked.value.projected.tokens === 20_000);
    assert.deepEqual(valueOf(await others.spending.read()).leases, []);
  });

  it("limits nothing without a budget, or in an invalid folder", async (t) => {
    const { checks, spender } = scene(t);
    assert.equal(await checks.reserveSubagent(spender("new 1", "Explore"), "hard"), null);
    assert.equal(await checks.check({ ...spender(), cwd: "stern" }, once), null);
  });
});

type Told = Partial<
  Record<"ago" | "input" | "output" | "write" | "read", number> & Record<"agentId" | "toolUse", string>
>;

/** A live session with responses that a test appends. Times are minutes in the past. */
function liveSession(cwd: () => string) {
  const account = new SessionAccount("s1", liveReader.cacheLife);
  const row = (events: TranscriptEvent[]) => {
    account.apply({ outcome: "known", at: clock.now() - 3_600_000, isSidechain: false, events }, null);
  };
  let count = 0;
  const respond = (reported: Told) => {
    const { ago = 0, input = 0, output = 0, write = 0, read = 0, agentId = null, toolUse } = reported;
    count += 1;
    const usage = { input, output, cacheCreation5m: write, cacheCreation1h: 0, cacheRead: read };
    const response = {
      messageId: `m${count}`,
      requestId: `r${count}`,
      sessionId: "s1",
      model: "claude-sonnet-4-6",
      at: clock.now() - ago * 60_000,
      cwd: cwd(),
      isSidechain: agentId !== null,
      usage,
    };
    const events: TranscriptEvent[] = [{ kind: "response", response, isCopy: false, endsTurn: false }];
    if (toolUse !== undefined) events.push({ kind: "tool-call", id: toolUse, tool: "Bash", isCopy: false });
    account.apply({ outcome: "known", at: response.at, isSidechain: agentId !== null, events }, agentId);
  };
  const live: LiveAccounts = { of: (id) => (id === "s1" ? account : undefined), chainsIn: () => [] };
  return { account, live, respond, begin: () => row([{ kind: "place", cwd: cwd(), branch: "fleet" }]) };
}

describe("a call under way", () => {
  const place = { cwd: "" };

  function liveScene(
    t: TestContext,
    paused: (session: ReturnType<typeof liveSession>) => void = () => undefined,
  ) {
    const session = liveSession(() => place.cwd);
    const made = scene(t, { live: session.live, paused: () => paused(session) });
    place.cwd = made.project;
    session.begin();
    const projected = async (asked: CallRequest = once, agentId = "main") => {
      const checked = await made.checks.check(made.spender(agentId), asked);
      assert.ok(checked?.ok === true);
      return checked.value;
    };
    return { ...made, ...session, projected };
  }

  it("is counted with what a warm cache has not, its prompt, and an answer like the last ones", async (t) => {
    const { others, respond, projected } = liveScene(t);
    valueOf(await createBudget(fleet, others));
    for (const output of [100, 300, 200]) respond({ ago: 1, output, write: 1000, read: 20_000 });
    await waitFor(async () => (await projected()).answer.projected.basis === "context");
    const { answer } = await projected({ ...once, isPrompt: true, added: 40 });
    assert.equal(answer.projected.tokens, 200 + 40 + 200);
    assert.match(answer.projected.source.text, /^context read from the cache, answers of 200$/u);
    const both = await projected({ ...once, added: 40, calls: 2 });
    assert.equal(both.answer.projected.tokens, 400 + 40 + 400);
  });

  it("is counted with its whole context where the cache has expired", async (t) => {
    const { others, respond, projected } = liveScene(t);
    valueOf(await createBudget(fleet, others));
    respond({ ago: 30, output: 100, write: 1000, read: 20_000 });
    await waitFor(async () => (await projected()).answer.projected.basis === "context");
    const { answer } = await projected();
    assert.deepEqual([answer.projected.tokens, answer.allowed], [21_100 + 100, true]);
    assert.match(
      answer.projected.source.text,
      /^cache expired, whole context rewritten: 21,100, answers of 100$/u,
    );
  });

  it("that would pass a limit is denied before it is made, with its projected usage", async (t) => {
    const { others, respond, projected, used } = liveScene(t);
    valueOf(await createBudget(fleet, others));
    await used("main", 44_000);
    respond({ ago: 30, output: 500, write: 100, read: 600 });
    await waitFor(async () => !(await projected()).answer.allowed);
    const { answer } = await projected();
    assert.equal(answer.reason, "agent_budget_exceeded");
    assert.match(
      describeAnswer(answer).text,
      /^This call would pass a budget: the agent "main" of session s1 has used 44,\d{3} of 45,000 tokens today; this call is projected at 1,700 \(cache expired.*\)\. To raise it: purser budget set fleet --agent TOKENS$/u,
    );
  });

  it("counts usage from the transcript that no ledger has yet", async (t) => {
    const { others, respond, projected } = liveScene(t);
    valueOf(await createBudget(fleet, others));
    respond({ input: 7000, output: 0, read: 10 });
    respond({ input: 500, agentId: "a1" });
    await waitFor(async () => (await projected()).answer.levels.some(({ used }) => used > 0));
    const sums = async (agentId: string) =>
      (await projected(once, agentId)).answer.levels.map(({ level, used }) => `${level} ${used}`);
    assert.deepEqual(await sums("main"), ["agent 7000", "convoy 7500"]);
    assert.deepEqual(await sums("a1"), ["agent 500", "convoy 7500"]);
    const reported = {
      sessionId: "s1",
      program: "claude-code",
      cwd: place.cwd,
      branch: "fleet",
      runSince: null,
      mainAt: clock.now() + 1000,
    };
    const row = { agentId: "main", type: null, branch: "fleet", ofRun: 0, at: clock.now() + 1000 };
    const day = formatDay(new Date(clock.now()));
    await others.spending.writeTotals("test", [{ ...reported, agents: [{ ...row, day, tokens: 7100 }] }]);
    await waitFor(async () => (await sums("main"))[0] === "agent 7100");
    assert.deepEqual(await sums("main"), ["agent 7100", "convoy 7600"]);
  });

  it("is computed once the transcript has the response with the tool call, or after a time limit", async (t) => {
    let pauses = 0;
    const { others, respond, checks, spender } = liveScene(t, (session) => {
      pauses += 1;
      if (pauses === 3) session.respond({ input: 4000, toolUse: "t1" });
    });
    valueOf(await createBudget(fleet, others));
    respond({ input: 100 });
    const used = async (toolUse: string) => {
      const checked = await checks.check(spender(), { ...once, toolUse });
      return checked?.ok === true ? checked.value.answer.levels[0]?.used : null;
    };
    assert.deepEqual([await used("t1"), pauses], [4100, 3]);
    assert.deepEqual([await used("t1"), pauses], [4100, 3], "it is there");
    assert.deepEqual([await used("t2"), pauses], [4100, 28], "it never comes");
  });

  it("does not wait if no response could come near a limit", async (t) => {
    let pauses = 0;
    const { others, respond, checks, spender, used } = liveScene(t, () => (pauses += 1));
    const convoy = { convoyId: "fleet", levels: { convoy: { limit: 1_000_000, period: "day" } } } as const;
    valueOf(await createBudget(convoy, others));
    respond({ ago: 1, input: 100, read: 50_000 });
    const asked = { ...once, toolUse: "t1" };
    await waitFor(async () => (await checks.check(spender(), once))?.ok === true);
    const reason = async () => {
      const checked = await checks.check(spender(), asked);
      return checked?.ok === true ? checked.value.answer.reason : null;
    };
    assert.deepEqual([await reason(), pauses], ["ok", 0]);
    // The tokens left before the warning are fewer than the model's window.
    await used("main", 650_000);
    await waitFor(async () => (await reason()) === "ok" && pauses > 0);
  });

  it("of a run starts at nothing with each prompt", async (t) => {
    const { others, respond, projected } = liveScene(t);
    const run: NewBudget = { convoyId: "fleet", levels: { session: { limit: 10_000, period: "run" } } };
    valueOf(await createBudget(run, others));
    respond({ ago: 1, input: 9000 });
    await waitFor(async () => (await projected()).answer.levels[0]?.used === 9000);
    const asked = await projected({ ...once, isPrompt: true });
    assert.deepEqual(
      asked.answer.levels.map(({ used }) => used),
      [0],
    );
    assert.equal((await projected()).answer.levels[0]?.used, 0);
  });

  it("belongs to its project wherever the agent goes", async (t) => {
    const { checks, others, used, spender, respond } = liveScene(t);
    valueOf(await createBudget(fleet, others));
    await used("main", 50_000);
    respond({ input: 1 });
    const away = { ...spender(), cwd: path.join(path.dirname(place.cwd)) };
    const reason = async () => {
      const checked = await checks.check(away, once);
      return checked?.ok === true ? checked.value.answer.reason : null;
    };
    // No budget claims its branch there; the limit for the whole project applies.
    valueOf(
      await createBudget({ convoyId: "all", levels: { project: { limit: 9, period: "day" } } }, others),
    );
    await waitFor(async () => (await reason()) === "project_budget_exceeded");
  });
});
