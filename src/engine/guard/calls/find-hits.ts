import { matchingEffort, type Effort } from "../effort.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { readCommandLine, readPowerShell } from "../commands/shell-reader.ts";
import type { FileCall } from "./match.ts";
import type { Hit, RuleSet } from "./rule-set.ts";

/** A call of a tool, as far as guard rules look at it. */
export type GuardedCall =
  | { readonly kind: "command"; readonly command: string; readonly shell: "posix" | "powershell" }
  | ({ readonly kind: "file" } & FileCall);

/** Returns the rules that fire on a call. Nothing is run; of files the context's reader says what it may look at. */
export function findHits(call: GuardedCall, rules: RuleSet, context: ShellContext): Hit[] {
  return findAllHits(call, { first: rules, more: [], effort: matchingEffort() }, context);
}

interface RuleSets {
  readonly first: RuleSet;
  readonly more: readonly RuleSet[];
  /** What may be done for those after the first, so that they keep nobody from an answer. */
  readonly effort: Effort;
}

/** Likewise, with more sets of rules. */
export function findAllHits(
  call: GuardedCall,
  { first, more, effort }: RuleSets,
  context: ShellContext,
): Hit[] {
  const find = finderOf(call, context);
  return [...find(first, matchingEffort()), ...more.flatMap((set) => find(set, effort))];
}

/** Reads a command line once for several sets. */
function finderOf(call: GuardedCall, context: ShellContext): (rules: RuleSet, effort: Effort) => Hit[] {
  if (call.kind === "file") return (rules, effort) => rules.hitsOfFile(call, context, effort);
  const read = call.shell === "powershell" ? readPowerShell : readCommandLine;
  const invocations = read(call.command, context);
  return (rules, effort) => rules.hitsOfCommand(invocations, context, effort);
}
