import type { Rule } from "../rules/rule.ts";
import type { RuleView } from "../rules/answers.ts";

/** A rule as it is measured and compiled, of what a client is told of it. */
export function ruleOfView({ rent, ...rule }: RuleView): Rule {
  return { ...rule, rent: rent.total };
}
