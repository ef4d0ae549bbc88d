import type { GuardFamily } from "../../settings/guard.ts";

/** What a rule may do about a call, weakest first. Only the user sets `deny`. */
export const ruleActions = ["advise", "ask", "deny"] as const;
export type RuleAction = (typeof ruleActions)[number];

/** Returns a rule's action. The default depends on the family. */
export function actionOf(rule: {
  readonly action?: RuleAction | undefined;
  readonly family: GuardFamily;
}): RuleAction {
  return rule.action ?? (rule.family === "safety" || rule.family === "secrets" ? "ask" : "advise");
}
