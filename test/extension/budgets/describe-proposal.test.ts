import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BudgetProposal } from "../../../src/engine/budgets/budgets-answers.ts";
import { createdSentence, limitPrompt, quickRow } from "../../../src/extension/budgets/describe-proposal.ts";
import { t } from "../support/session.ts";

const proposal: BudgetProposal = {
  level: "project",
  period: "day",
  limit: 600_000,
  basis: "history",
  source: plainSentence("9 of 10 of your last 20 days took 400,000 or less; half as much again"),
  used: 316_000,
};

describe("a limit that is proposed, in words", () => {
  it("shows today's use and the limit's source beside the limit", () => {
    const { label, description, detail } = quickRow("Everything in argo", proposal, t);
    assert.equal(label, "Everything in argo");
    assert.equal(description, "600k tokens a day");
    assert.equal(
      detail,
      "Used today: 316k · 9 of 10 of your last 20 days took 400,000 or less; half as much again",
    );
    assert.equal(
      limitPrompt(proposal, "For the whole project.", t),
      "For the whole project. Used today: 316k. Proposed: 9 of 10 of your last 20 days took 400,000 or less; half as much again.",
    );
  });

  it("omits the use if each of several has its own, and omits an unknown source", () => {
    const each = { ...proposal, level: "agent", period: "total", used: null } as const;
    assert.doesNotMatch(quickRow("Each agent", each, t).detail, /Used/u);
    assert.equal(
      limitPrompt({ ...each, source: plainSentence("") }, "For each agent.", t),
      "For each agent.",
    );
  });

  it("shows nothing of what a text from outside would make of a line", () => {
    const odd = quickRow("argo", { ...proposal, source: plainSentence("one\ntwo\u001B[31m") }, t).detail;
    assert.doesNotMatch(odd, /[\n\u001B]/u);
  });

  it("states what applies once the budget exists", () => {
    const day = { amount: 600_000, unit: "tokens", period: "day" } as const;
    const total = { amount: 100_000, unit: "tokens", period: "total" } as const;
    assert.equal(
      createdSentence("everything", { project: day }, t),
      "Budget “everything” is active: 600k tokens a day.",
    );
    const both = createdSentence("fleet", { convoy: day, agent: total }, t);
    assert.equal(both, "Budget “fleet” is active: 600k tokens a day, and 1 more.");
  });
});
