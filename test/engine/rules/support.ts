import type { Rule } from "../../../src/engine/rules/rule.ts";

export function rule(over: Partial<Rule> = {}): Rule {
  return {
    ...{ id: "r0000000001", agent: "scout", sentence: "Read a file once and work from what you saw." },
    ...{ scope: null, status: "candidate", isProtected: false, strikes: 0, origin: "hand", source: null },
    ...{ saving: null, rent: 12, createdAt: 1, decidedAt: null, decidedReason: null, auditedAt: null },
    replaces: null,
    ...over,
  };
}
