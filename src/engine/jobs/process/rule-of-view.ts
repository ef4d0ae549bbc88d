import type { Rule } from "../../rules/rule.ts";
import type { RuleView } from "../../rules/answers.ts";

/** Converts a rule in an answer into the one that is measured and compiled. */
export function ruleOfView({ rent, ...rule }: RuleView): Rule {
  return { ...rule, rent: rent.total };
}
