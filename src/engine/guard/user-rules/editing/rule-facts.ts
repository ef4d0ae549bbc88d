import { actionOf, type RuleAction } from "../../calls/rule-action.ts";
import type { GuardRule } from "../../calls/rule.ts";
import type { CodedRule } from "../../coded-rule.ts";
import type { GuardFamily } from "../../../settings/guard.ts";

/** A rule as somebody who writes a `guard.yaml` is told of it. */
export interface RuleFacts {
  readonly id: string;
  readonly family: GuardFamily;
  readonly action: RuleAction;
  readonly message: string;
  readonly remedy: string;
  /** It looks at more than one call, so that it can only be off or advise. */
  readonly isCode: boolean;
  /** A call on which it fires; in words for a rule that is code. Empty where none is given. */
  readonly example: string;
}

export function factsOf(rules: readonly GuardRule[], coded: readonly CodedRule[]): RuleFacts[] {
  return [
    ...rules.map((rule) => {
      const { id, family, message, remedy, fires } = rule;
      return { id, family, action: actionOf(rule), message, remedy, isCode: false, example: fires[0] ?? "" };
    }),
    ...coded.map(({ id, family, message, remedy, example }) => ({
      id,
      family,
      action: "advise" as const,
      message,
      remedy,
      isCode: true,
      example,
    })),
  ];
}
