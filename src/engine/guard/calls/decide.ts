import type { GuardFamily, GuardMode } from "../../settings/guard.ts";
import type { Hit } from "./rule-set.ts";
import { actionOf, type RuleAction } from "./rule-action.ts";

/** The deed about a hit; `repeated` is advice that the session has had already, `silent` such of a rule whose advice does not help. */
export type Deed = "observed" | "advised" | "repeated" | "silent" | "asked" | "denied";

export interface Decision {
  readonly hit: Hit;
  /** The rule's deed where its family is on. */
  readonly action: RuleAction;
  readonly done: Deed;
}

export interface DecisionContext {
  readonly modeOf: (family: GuardFamily) => GuardMode;
  /** The agent takes questions, and a person sees them. */
  readonly canAsk: boolean;
  readonly canDeny: boolean;
  readonly canAdvise: boolean;
  /** Whether the session has had a rule's advice. */
  readonly isTold: (rule: string) => boolean;
  /** Whether a rule's advice has fallen silent. Never one that would ask or deny. */
  readonly isSilent: (rule: string) => boolean;
}

/** Decides what is done about each rule that fires on a call. A rule of a family that is off does not count. */
export function decide(hits: readonly Hit[], context: DecisionContext): Decision[] {
  return hits.flatMap((hit): Decision[] => {
    const mode = context.modeOf(hit.rule.family);
    const action = actionOf(hit.rule);
    if (mode === "off") return [];
    return [{ hit, action, done: mode === "observe" ? "observed" : deedOf(hit, action, context) }];
  });
}

/**
 * A question is a denial where nobody is there to answer it, or where the agent takes none. A command line that could only be read by
 * its words is never denied.
 */
function deedOf({ rule, isGuess }: Hit, action: RuleAction, context: DecisionContext): Deed {
  const { canAsk, canDeny, canAdvise, isTold, isSilent } = context;
  if (action === "ask" && canAsk) return "asked";
  if (action !== "advise" && canDeny && !isGuess) return "denied";
  if (!canAdvise) return "observed";
  if (isTold(rule.id)) return "repeated";
  return action === "advise" && isSilent(rule.id) ? "silent" : "advised";
}
