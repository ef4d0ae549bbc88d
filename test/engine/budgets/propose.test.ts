import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import { levelNames, periodNames } from "../../../src/engine/budgets/budget.ts";
import { aboveUsed, proposeLimit, type ProposalBasis } from "../../../src/engine/budgets/propose.ts";
import type { AgentDay, SessionTotals } from "../../../src/engine/budgets/spending/session-totals.ts";

const none: ProposalBasis = { totals: [], runs: [], model: null, today: "2026-11-18" };

function session(sessionId: string, agents: Partial<AgentDay>[]): SessionTotals {
  const row = {
    agentId: "main",
    type: null,
    branch: "main",
    day: "2026-11-17",
    tokens: 0,
    ofRun: 0,
    at: null,
  };
  return {
    sessionId,
    program: "claude-code",
    cwd: "/argo",
    branch: "main",
    runSince: null,
    mainAt: null,
    agents: agents.map((each) => ({ ...row, ...each })),
  };
}

const days = (amounts: readonly number[]) =>
  session(
    "s",
    amounts.map((tokens, index) => ({ tokens, day: `2026-11-${String(17 - index).padStart(2, "0")}` })),
  );

describe("a limit that is proposed without a history", () => {
  it("is the documented one for a group, by model class, labelled as such", () => {
    const of = (model: string | null) => proposeLimit("convoy", "total", { ...none, model });
    assert.deepEqual(
      ["claude-opus-4-8", "claude-sonnet-5", "claude-haiku-5-5", null].map((model) => of(model).limit),
      [300_000, 150_000, 150_000, 300_000],
    );
    assert.equal(of("claude-opus-4-8").source, "typical for Opus: 75,000 to 300,000 a group");
    assert.equal(of("claude-sonnet-5").source, "typical for Sonnet: 30,000 to 150,000 a group");
    assert.match(of(null).source.text, /^typical for Opus, as no model is known yet/u);
    assert.equal(of(null).basis, "default");
  });

  it("is four times the output of the given lines", () => {
    const proposal = proposeLimit("convoy", "total", { ...none, lines: 2000 });
    assert.deepEqual([proposal.limit, proposal.basis], [120_000, "default"]);
    assert.equal(
      proposal.source,
      "documented default for 2,000 lines: about 30,000 tokens of output, and 3 to 5 times that in all",
    );
    assert.equal(proposeLimit("agent", "total", { ...none, lines: 2000 }).limit, 100_000);
  });
});

describe("a limit of which something is used already", () => {
  const proposal = proposeLimit("convoy", "total", none);

  it("is the proposal while most of it is left, or usage is unknown", () => {
    for (const used of [null, 0, 239_999]) assert.deepEqual(aboveUsed(proposal, used), proposal);
  });

  it("adds as much to the usage, so that a new limit is neither passed nor near", () => {
    const { limit, source } = aboveUsed(proposal, 1_000_000);
    assert.equal(limit, 1_500_000);
    assert.equal(aboveUsed(proposal, 300_000).limit, 600_000);
    assert.equal(source, `${proposal.source.text}; beside the 1,000,000 that are used by now`);
    fc.assert(
      fc.property(
        fc.constantFrom(...levelNames),
        fc.constantFrom(...periodNames),
        fc.nat(1e13),
        (level, period, used) => {
          const above = aboveUsed(proposeLimit(level, period, none), used).limit;
          assert.ok(Number.isInteger(above) && above <= 1e12 && (used < above * 0.8 || above === 1e12));
        },
      ),
    );
  });
});

describe("a limit that is proposed from what was used", () => {
  it("is half as much again as nine of ten days took, today left out", () => {
    const totals = [
      days([100, 200, 300, 400, 500, 600, 700, 800, 900, 5000]),
      session("t", [{ tokens: 9e6, day: "2026-11-18" }]),
    ];
    const { limit, basis, source } = proposeLimit("project", "day", { ...none, totals });
    assert.deepEqual([limit, basis], [1400, "history"]);
    assert.equal(source, "9 of 10 of your last 10 days took 900 or less; half as much again");
  });

  it("is made of days where weeks and months are too few", () => {
    const totals = [days([100, 100, 100, 100, 100])];
    const of = (period: "week" | "month") => proposeLimit("project", period, { ...none, totals });
    assert.deepEqual([of("week").limit, of("month").limit], [750, 3000]);
    assert.match(of("month").source.text, /^20 times a day's 150: 9 of 10/u);
  });

  it("of a group is what other branches took, long-lived ones left out", () => {
    const branches = ["a", "b", "c", "d", "e"].map((branch) =>
      session(branch, [{ branch, tokens: 1000, day: null }]),
    );
    const totals = [
      ...branches,
      session("m", [
        { branch: "main", tokens: 9e9 },
        { branch: "own", tokens: 8e9 },
      ]),
    ];
    const of = (branch: string) => proposeLimit("convoy", "total", { ...none, totals, branch });
    assert.equal(of("own").limit, 1500);
    assert.match(of("own").source.text, /your last 5 branches/u);
    assert.equal(of("a").basis, "history");
  });

  it("of an agent is what single agents took, and of a run what runs did", () => {
    const agents = [
      session(
        "s",
        ["main", "a1", "a2", "a3", "a4"].map((agentId) => ({ agentId, tokens: 200 })),
      ),
    ];
    assert.equal(proposeLimit("agent", "total", { ...none, totals: agents }).limit, 300);
    assert.equal(
      proposeLimit("session", "total", { ...none, totals: agents }).basis,
      "default",
      "one session is too few",
    );
    assert.equal(proposeLimit("agent", "run", { ...none, runs: [10, 20, 30, 40, 50] }).limit, 75);
  });

  it("is always one that a budget may have", () => {
    const row = fc.record({
      agentId: fc.constantFrom("main", "a1"),
      branch: fc.option(fc.string()),
      day: fc.option(fc.constantFrom("2026-11-18", "2026-11-15", "2026-02-28")),
      tokens: fc.nat(1e9),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 8 }),
        fc.array(fc.nat(1e9), { maxLength: 9 }),
        fc.option(fc.string()),
        fc.option(fc.integer({ min: 1, max: 1e6 })),
        (sessions, runs, model, lines) => {
          const totals = sessions.map((agents, index) => session(`s${index}`, agents));
          for (const level of levelNames)
            for (const period of periodNames) {
              const { limit, source } = proposeLimit(level, period, { ...none, totals, runs, model, lines });
              assert.ok(
                Number.isInteger(limit) && limit >= 1 && limit <= 1e12,
                `${level} ${period} ${limit}`,
              );
              assert.notEqual(source, "");
            }
        },
      ),
    );
  });
});
