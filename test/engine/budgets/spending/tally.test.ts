import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  levelNames,
  newBudget,
  periodNames,
  type Budget,
  type Members,
} from "../../../../src/engine/budgets/budget.ts";
import { convoyOf } from "../../../../src/engine/budgets/convoys/members.ts";
import { periodStart } from "../../../../src/engine/budgets/period.ts";
import type { AgentDay, SessionTotals } from "../../../../src/engine/budgets/spending/session-totals.ts";
import {
  nothingSpent,
  type Spender,
  type UsageRow,
} from "../../../../src/engine/budgets/spending/spending.ts";
import { Tally } from "../../../../src/engine/budgets/spending/tally.ts";
import { noon, valueOf } from "../support/ports.ts";

const today = "2026-11-18";

function budget(convoyId: string, members?: Members): Budget {
  return valueOf(newBudget({ convoyId, ...(members === undefined ? {} : { members }) }, noon));
}

function row(tokens: number, over: Partial<AgentDay> = {}): AgentDay {
  return { agentId: "main", type: null, branch: "main", day: today, tokens, ofRun: 0, at: noon, ...over };
}

function session(agents: readonly AgentDay[], over: Partial<SessionTotals> = {}): SessionTotals {
  return {
    sessionId: "s1",
    program: "claude-code",
    cwd: "/argo",
    branch: null,
    runSince: null,
    mainAt: noon,
    agents: [...agents],
    ...over,
  };
}

const spender = (over: Partial<Spender> = {}): Spender => ({
  convoyId: "fleet",
  agentId: "main",
  sessionId: "s1",
  runId: "s1",
  ...over,
});

const fresh = (tokens: number) => ({ tokens, usd: 0, unpriced: 0 });

function used(
  totals: readonly SessionTotals[],
  {
    usage = [],
    budgets = [budget("fleet", { branches: ["*"] })],
    who = spender(),
  }: {
    usage?: readonly UsageRow[];
    budgets?: readonly Budget[];
    who?: Spender;
  } = {},
): Record<string, number> {
  const tally = new Tally({ ...nothingSpent, totals, usage }, budgets);
  return Object.fromEntries(
    levelNames.map((level) => [level, tally.used({ level, period: "day" }, who, { now: noon }).tokens]),
  );
}

describe("what counts against a limit", () => {
  it("is the sum over branches of one agent", () => {
    const branches = [row(100), row(90, { branch: "feature/checkout" }), row(80, { branch: "feature/cart" })];
    assert.deepEqual(used([session(branches)]), { session: 270, agent: 270, convoy: 270, project: 270 });
  });

  it("counts today if reported in a zone further east, and no day if a clock was ahead", () => {
    const east = used([session([row(10), row(5, { day: "2026-11-19" })])]);
    assert.deepEqual(east, { session: 15, agent: 15, convoy: 15, project: 15 });
    const ahead = [session([row(10), row(7, { day: "2026-11-20" }), row(7, { day: "2036-01-01" })])];
    assert.deepEqual(used(ahead), { session: 10, agent: 10, convoy: 10, project: 10 });
    const reported: UsageRow = { ...spender(), day: "2036-01-01", settled: 60, observed: 0, at: noon };
    assert.deepEqual(used([], { usage: [reported] }), { session: 0, agent: 0, convoy: 0, project: 0 });
  });

  it("is each agent's own, a subagent's apart from another of its type", () => {
    const agents = [
      row(10),
      row(20, { agentId: "a1", type: "Explore" }),
      row(40, { agentId: "a2", type: "Explore" }),
    ];
    const sessions = [session(agents), session([row(5)], { sessionId: "s2" })];
    assert.deepEqual(used(sessions), { session: 70, agent: 10, convoy: 75, project: 75 });
    assert.equal(used(sessions, { who: spender({ agentId: "a2" }) })["agent"], 40);
    assert.equal(used(sessions, { who: spender({ sessionId: "s2" }) })["agent"], 5);
  });

  it("is of the group of the branch it was used on, also when its budget is made afterwards", () => {
    const sessions = [session([row(100, { branch: "oars" }), row(30, { branch: "helm" })])];
    const of = (convoyId: string) =>
      used(sessions, { budgets: [budget("oars"), budget("helm")], who: spender({ convoyId }) })["convoy"];
    assert.deepEqual([of("oars"), of("helm")], [100, 30]);
    assert.equal(
      used(sessions, { budgets: [budget("helm")], who: spender({ convoyId: "oars" }) })["project"],
      130,
    );
  });

  it("belongs to the group that its session joined, wherever it worked", () => {
    const sessions = [session([row(100, { branch: "oars" }), row(30, { branch: "helm" })])];
    const budgets = [budget("oars"), budget("fleet", { sessions: ["s1"] })];
    assert.equal(used(sessions, { budgets })["convoy"], 130);
  });

  it("belongs to its session's group if a subagent works in its own worktree", () => {
    const agents = [row(50, { agentId: "a1", branch: "worktree-a1" })];
    const budgets = [budget("fleet")];
    assert.equal(used([session(agents, { branch: "fleet" })], { budgets })["convoy"], 50);
  });

  it("counts once if both a caller and the transcript report it", () => {
    const reported: UsageRow = { ...spender(), day: today, settled: 60, observed: 0, at: noon };
    assert.equal(used([session([row(100)])], { usage: [reported] })["project"], 100);
    assert.equal(used([session([row(40)])], { usage: [reported] })["project"], 60);
    const elsewhere = { ...reported, sessionId: "s2" };
    assert.equal(used([session([row(40)])], { usage: [elsewhere] })["project"], 100);
  });

  it("belongs to the group that a caller named for the session, if no branch decides", () => {
    const reported: UsageRow = { ...spender(), day: today, settled: 10, observed: 0, at: noon };
    assert.equal(
      used([session([row(100)])], { usage: [reported], budgets: [budget("fleet")] })["convoy"],
      100,
    );
  });
});

describe("what no ledger has yet", () => {
  const tally = new Tally(
    { ...nothingSpent, totals: [session([row(100, { ofRun: 70 })], { runSince: noon - 1000 })] },
    [budget("fleet", { branches: ["*"] })],
  );
  const unrecorded = {
    sessionId: "s1",
    agentId: "main",
    convoyId: "fleet",
    used: fresh(20),
    ofRun: fresh(5),
  };
  const of = (period: (typeof periodNames)[number], over: { isNewRun?: boolean } = {}) =>
    tally.used({ level: "agent", period }, spender(), { now: noon, unrecorded: [unrecorded], ...over })
      .tokens;

  it("is added, to the run only what is of it", () => {
    assert.deepEqual([of("day"), of("total"), of("run")], [120, 120, 75]);
  });

  it("is a whole run that the ledger does not have", () => {
    assert.deepEqual([of("day", { isNewRun: true }), of("run", { isNewRun: true })], [120, 5]);
  });

  it("of another agent is not this one's", () => {
    const other = { ...unrecorded, agentId: "a1" };
    const sum = (level: "agent" | "session") =>
      tally.used({ level, period: "day" }, spender(), { now: noon, unrecorded: [other] }).tokens;
    assert.deepEqual([sum("agent"), sum("session")], [100, 120]);
  });
});

const words = <Name extends string>(names: readonly Name[]) => fc.constantFrom(...names);
const agentDay: fc.Arbitrary<AgentDay> = fc
  .record({
    agentId: words(["main", "a1", "a2"]),
    branch: fc.option(words(["fleet", "oars", "main"])),
    day: fc.option(
      words(["2026-11-18", "2026-11-17", "2026-11-16", "2026-11-15", "2026-11-01", "2026-10-31"]),
    ),
    tokens: fc.nat(1000),
  })
  .chain((row) => fc.nat(row.tokens).map((ofRun) => ({ ...row, ofRun, type: null, at: null })));
const sessions = fc.uniqueArray(
  fc
    .record({
      sessionId: words(["s1", "s2", "s3"]),
      branch: fc.option(words(["fleet", "oars", "main"])),
      agents: fc.uniqueArray(agentDay, {
        selector: ({ agentId, branch, day }) => JSON.stringify([agentId, branch, day]),
      }),
    })
    .map(({ agents, ...over }) => session(agents, over)),
  { selector: ({ sessionId }) => sessionId },
);
const someBudgets = fc.constantFrom(
  [budget("fleet")],
  [budget("fleet"), budget("oars")],
  [budget("fleet", { branches: ["*"] })],
  [budget("fleet", { sessions: ["s2"] }), budget("oars", { branches: ["oars"] })],
);

it("The counted usage is the plain sum of the rows that a limit covers, of any kind", () => {
  fc.assert(
    fc.property(
      sessions,
      someBudgets,
      words(levelNames),
      words(periodNames),
      fc.record({
        sessionId: words(["s1", "s2", "s3"]),
        agentId: words(["main", "a1"]),
        convoyId: words(["fleet", "oars"]),
      }),
      (totals, budgets, level, period, who) => {
        const since = periodStart(period, noon);
        let expected = 0;
        for (const { sessionId, branch: last, agents } of totals)
          for (const { agentId, branch, day, tokens, ofRun } of agents) {
            const branches = agentId === "main" ? [branch ?? last] : [branch, last];
            const convoyId = convoyOf(budgets, { sessionId, branches });
            const isOf =
              level === "project" ||
              (convoyId === who.convoyId &&
                (level === "convoy" || sessionId === who.sessionId) &&
                (level !== "agent" || agentId === who.agentId));
            if (!isOf) continue;
            if (period === "run") expected += sessionId === who.sessionId ? ofRun : 0;
            else if (period === "total" || (day !== null && since !== null && day >= since))
              expected += tokens;
          }
        const tally = new Tally({ ...nothingSpent, totals }, budgets);
        const asked = { ...who, runId: who.sessionId };
        // Called twice, since sums are cached.
        for (let times = 0; times < 2; times += 1)
          assert.equal(tally.used({ level, period }, asked, { now: noon }).tokens, expected);
      },
    ),
    { numRuns: 500 },
  );
});
