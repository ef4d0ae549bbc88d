import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { budgetBadge } from "../../../src/extension/budgets/status-bar.ts";
import { noBadge, statusText } from "../../../src/extension/sessions/status-text.ts";
import { sessionTooltip } from "../../../src/extension/sessions/tooltip.ts";
import { agent, convoy, level, project } from "../support/budgets.ts";
import { now, session, t } from "../support/session.ts";

const options = { t, isLive: (id: string) => id === "live", titleOf: () => undefined };
const status = { percentOf: "window", now, t } as const;

describe("budgets on the status bar", () => {
  it("shows nothing without budgets or while they are off", () => {
    for (const projects of [
      [],
      [project([])],
      [project([convoy([level({ used: 900_000 })])], { mode: "off" })],
    ])
      assert.deepEqual(budgetBadge(projects, options), noBadge);
  });

  it("shows one quiet row for the fullest limit while all is well", () => {
    const badge = budgetBadge([project([convoy([level(), agent("main", { amount: 100_000 })])])], options);
    assert.equal(badge.severity, "default");
    assert.equal(badge.spoken, "");
    assert.deepEqual(badge.rows, [
      { folders: ["/home/dev/harbor"], cells: ["Budget", "40k of 100k · 40% · today", "Agent main · live"] },
    ]);
  });

  it("shows a shield in the colour of the worst limit, with words for screen readers", () => {
    const near = budgetBadge([project([convoy([level({ used: 410_000 })])])], options);
    assert.deepEqual(
      [near.severity, near.spoken],
      ["warning", "budget: Group, 410,000 of 500,000 tokens used today, 82%"],
    );
    const shown = statusText(session(), { ...status, budget: near });
    assert.deepEqual([shown.text, shown.severity], ["$(shield) 82% of the budget · 38%", "warning"]);
    assert.match(shown.spoken, /budget: Group/u);
    const passed = budgetBadge([project([convoy([level({ used: 510_000 })])])], options);
    assert.equal(statusText(session({ advice: "WRAP_UP" }), { ...status, budget: passed }).severity, "error");
    assert.equal(statusText(session({ advice: "END_TURN" }), { ...status, budget: near }).severity, "error");
  });

  it("leaves out sessions that have ended, with their agents and runs", () => {
    const over = (changes: object) => level({ used: 600_000, ...changes });
    const of = (changes: object) => budgetBadge([project([convoy([over(changes)])])], options).severity;
    assert.equal(of({ level: "session", who: "gone", sessionId: "gone" }), "default");
    assert.equal(of({ level: "session", who: "live", sessionId: "live" }), "error");
    const run = { level: "agent", who: "a1", period: "run", since: null };
    assert.equal(of({ ...run, sessionId: "gone" }), "default");
    assert.equal(of({ ...run, sessionId: "live" }), "error");
  });

  it("shows that a budget cannot be read", () => {
    const fault = { reason: "corrupt", detail: plainSentence("cut"), file: null };
    const badge = budgetBadge([project([convoy([])], { faults: [fault] })], options);
    assert.deepEqual([badge.severity, badge.spoken], ["error", "a budget cannot be read"]);
    assert.deepEqual(badge.rows[0]?.cells, ["Budget", "unknown", "one of its files cannot be read"]);
  });

  it("has rows for the sessions of each of the project's folders, once", () => {
    const [held] = [convoy([level({ used: 450_000 })])];
    const both = [project([held]), project([held], { folder: "/home/dev/harbor-fix" })];
    const badge = budgetBadge(both, options);
    assert.deepEqual(
      badge.rows.map(({ folders }) => folders),
      [["/home/dev/harbor", "/home/dev/harbor-fix"]],
    );
    const text = sessionTooltip(session(), {
      now,
      t,
      isPinned: false,
      isMuted: false,
      budgets: badge.rows.map(({ cells }) => cells),
    });
    assert.match(
      text,
      /\| Budget&ensp; \| 450k\u00a0of\u00a0500k\u00a0·\u00a090%\u00a0·\u00a0today&ensp; \| Group checkout \|/u,
    );
    assert.match(text, /\[Show Budgets\]\(command:purser\.budgets\.focus\)/u);
  });
});
