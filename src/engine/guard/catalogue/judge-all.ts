import type { ShellContext } from "../commands/invocation.ts";
import { judgeCall, type GuardedCall } from "../calls/find-hits.ts";
import { RuleSet, type Hit } from "../calls/rule-set.ts";
import { catalogue } from "./all.ts";

/** A bundle of its own, loaded with the first call that is judged: the rules, and what judges by them. */
export { catalogue } from "./all.ts";

const rules = new RuleSet(catalogue);

/** Judges a call by all rules that come with purser. */
export function judgeByCatalogue(call: GuardedCall, context: ShellContext): Hit[] {
  return judgeCall(call, rules, context);
}
