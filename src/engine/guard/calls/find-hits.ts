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
  return findHitsUntil(call, { first: rules, more: [], isLate: () => false }, context);
}

/** Likewise, with more sets of rules, of which none is begun once it is late. */
export function findHitsUntil(
  call: GuardedCall,
  { first, more, isLate }: { first: RuleSet; more: readonly RuleSet[]; isLate: () => boolean },
  context: ShellContext,
): Hit[] {
  const find = finderOf(call, context);
  const hits = find(first);
  for (const set of more) {
    if (isLate()) break;
    hits.push(...find(set));
  }
  return hits;
}

/** Reads a command line once for several sets. */
function finderOf(call: GuardedCall, context: ShellContext): (rules: RuleSet) => Hit[] {
  if (call.kind === "file") return (rules) => rules.hitsOfFile(call, context);
  const read = call.shell === "powershell" ? readPowerShell : readCommandLine;
  const invocations = read(call.command, context);
  return (rules) => rules.hitsOfCommand(invocations, context);
}
