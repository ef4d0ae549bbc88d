import { readExample } from "../calls/example.ts";
import { findHits } from "../calls/find-hits.ts";
import type { GuardRule } from "../calls/rule.ts";
import { RuleSet } from "../calls/rule-set.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { makeJudge, type Judge } from "../user-rules/apply.ts";
import type { GuardConfig } from "../user-rules/config.ts";
import { catalogue } from "./all.ts";

/** A bundle of its own, loaded with the first call that is judged: the rules, and what judges by them. */
export { catalogue } from "./all.ts";
export { codedRules } from "./coded.ts";
export { whyNoPattern } from "../calls/patterns.ts";
export { effectiveRules, makeSilence } from "../user-rules/apply.ts";

/** Makes a judge of all rules that come with purser, and of what the user says of them. */
export function judgeBy(config: GuardConfig): Judge {
  return makeJudge(catalogue, config);
}

/** Returns the ids of those of the rules that fire on an example. */
export function firedOn(rules: readonly GuardRule[], example: string, context: ShellContext): string[] {
  return findHits(readExample(example), new RuleSet(rules), context).map(({ rule }) => rule.id);
}
