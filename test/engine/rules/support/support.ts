import { plainSentence } from "../../../../src/engine/base/language.ts";
import type { Verdict } from "../../../../src/engine/verdict/verdict.ts";
import type { Rule } from "../../../../src/engine/rules/rule.ts";

export function rule(over: Partial<Rule> = {}): Rule {
  return {
    id: "r0000000001",
    agent: "scout",
    sentence: "Read a file once and work from what you saw.",
    scope: null,
    status: "candidate",
    isProtected: false,
    strikes: 0,
    origin: "hand",
    source: null,
    saving: null,
    rent: 12,
    createdAt: 1,
    decidedAt: null,
    decidedReason: null,
    auditedAt: null,
    replaces: null,
    ...over,
  };
}

export function verdict(over: Partial<Verdict> = {}): Verdict {
  const none = { passed: 0, runs: 0, rate: null };
  return {
    kind: "undecided",
    saving: null,
    savingShare: null,
    belowBar: false,
    passed: [none, none],
    passedDifference: null,
    tasks: [],
    stop: "decided",
    moreRounds: null,
    rounds: 4,
    tokensSpent: 100,
    reason: plainSentence("It saves 10 tokens."),
    ...over,
  };
}
