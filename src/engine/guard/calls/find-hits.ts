import { matchingEffort, readingEffort, type Effort } from "../effort.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { readPowerShell } from "../commands.ts";
import { readCommandLine } from "../commands/shell-reader.ts";
import type { FileCall } from "./match.ts";
import { excerptOfText, type Hit, type RuleSet } from "./rule-set.ts";
import { unjudgedRule } from "./unjudged.ts";

/** A call of a tool, as far as guard rules look at it. */
export type GuardedCall =
  | { readonly kind: "command"; readonly command: string; readonly shell: "posix" | "powershell" }
  | ({ readonly kind: "file" } & FileCall);

/** Returns the rules that fire on a call. Nothing is run. The context's reader decides which files are read. */
export function findHits(call: GuardedCall, rules: RuleSet, context: ShellContext): Hit[] {
  const { hits, isComplete } = findAllHits(call, [{ rules, effort: matchingEffort() }], context);
  return isComplete ? hits : [...hits, ...unjudgedHits(call, rules)];
}

/** Rules, and the effort allowed for testing them. */
export interface Tested {
  readonly rules: RuleSet;
  readonly effort: Effort;
}

/** Likewise for several sets of rules. It also returns whether the whole call was read and tested. */
export function findAllHits(
  call: GuardedCall,
  sets: readonly Tested[],
  context: ShellContext,
): { readonly hits: Hit[]; readonly isComplete: boolean } {
  const reading = readingEffort();
  const find = finderOf(call, context, reading);
  const hits = sets.flatMap(find);
  const isComplete = !reading.isExceeded && sets.every(({ effort }) => !effort.isExceeded);
  return { hits, isComplete };
}

/** Returns the hit that reports an incompletely judged call. */
export function unjudgedHits(call: GuardedCall, { rules }: RuleSet): Hit[] {
  const rule = unjudgedRule(rules);
  const text = call.kind === "command" ? call.command : call.file;
  return rule === null ? [] : [{ rule, excerpt: excerptOfText(text), isGuess: false }];
}

/** Reads a command line once for several sets. */
function finderOf(call: GuardedCall, context: ShellContext, reading: Effort): (tested: Tested) => Hit[] {
  if (call.kind === "file") return ({ rules, effort }) => rules.hitsOfFile(call, context, effort);
  const read = call.shell === "powershell" ? readPowerShell : readCommandLine;
  const invocations = read(call.command, context, reading);
  return ({ rules, effort }) => rules.hitsOfCommand(invocations, context, effort);
}
