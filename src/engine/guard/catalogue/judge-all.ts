import { readExample } from "../calls/example.ts";
import { findHits } from "../calls/find-hits.ts";
import { type GuardRule } from "../calls/rule.ts";
import { actionOf, type RuleAction } from "../calls/rule-action.ts";
import { RuleSet } from "../calls/rule-set.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { makeJudge, type Judge, type WholeConfig } from "../user-rules/apply.ts";
import { catalogue } from "./all.ts";

/** A bundle of its own, loaded with the first call that is judged: the rules and their judge. */
export { catalogue } from "./all.ts";
export { codedRules } from "./coded.ts";
export { whyNoPattern } from "../calls/patterns.ts";
export { addLimit } from "../waste/bounded-command.ts";
export { readCommandLine } from "../commands/shell-reader.ts";
export { effectiveRules, makeExceptionTest } from "../user-rules/apply.ts";

export { readHookify } from "../user-rules/hookify.ts";
export { withProject } from "../user-rules/apply.ts";

/** Actions of purser's rules on calls, by rule id. */
export const usualActions: ReadonlyMap<string, RuleAction> = new Map(
  catalogue.map((rule) => [rule.id, actionOf(rule)]),
);

/** Makes a judge of purser's rules, with the settings of the user and the project. */
export function judgeBy(config: WholeConfig): Judge {
  return makeJudge(catalogue, config);
}

/** Returns the ids of the rules that fire on an example. */
export function firedOn(rules: readonly GuardRule[], example: string, context: ShellContext): string[] {
  return findHits(readExample(example), new RuleSet(rules), context).map(({ rule }) => rule.id);
}
