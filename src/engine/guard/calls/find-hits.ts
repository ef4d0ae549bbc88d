import { readPowerShell } from "../commands.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { readCommandLine } from "../commands/shell-reader.ts";
import { matchingEffort, readingEffort, type Effort } from "../effort.ts";
import type { FileCall } from "./match.ts";
import { excerptOfText, type Hit, type RuleSet } from "./rule-set.ts";
import type { GuardRule } from "./rule.ts";

const unjudgedId = "unjudged-command";

/** Fires on a command line with an unread part. It has no match: `findHits` adds it. */
export const unjudgedRules: readonly GuardRule[] = [
  {
    id: unjudgedId,
    family: "safety",
    match: [],
    message:
      "This command line cannot be judged completely: it is too long, nested too deep, or has a quote that does not end.",
    remedy: "Split it into shorter commands, and close every quote.",
    fires: [`${"eval ".repeat(20)}ls`, `${"( ".repeat(20)}ls${" )".repeat(20)}`, "echo 'a"],
    passes: ["for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i; done", "( ( ls ) )"],
  },
];

/** A call of a tool, as far as guard rules look at it. */
export type GuardedCall =
  | { readonly kind: "command"; readonly command: string; readonly shell: "posix" | "powershell" }
  | ({ readonly kind: "file" } & FileCall);

/** Returns the rules that fire on a call. It runs nothing. The context's reader decides which files are read. */
export function findHits(call: GuardedCall, rules: RuleSet, context: ShellContext): Hit[] {
  const { hits, isComplete } = findAllHits(call, [{ rules, effort: matchingEffort() }], context);
  return isComplete ? hits : [...hits, ...unjudgedHits(call, rules)];
}

/** Rules, and the effort allowed for testing them. */
interface Tested {
  readonly rules: RuleSet;
  readonly effort: Effort;
}

/** Likewise for several sets of rules. Also returns whether the whole call was read and tested. */
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

/** Returns the hit that reports an incompletely judged call; none if the rule is off. */
export function unjudgedHits(call: GuardedCall, { rules }: RuleSet): Hit[] {
  const rule = rules.find(({ id }) => id === unjudgedId);
  const text = call.kind === "command" ? call.command : call.file;
  return rule === undefined ? [] : [{ rule, excerpt: excerptOfText(text), isGuess: false }];
}

/** Reads a command line once for several sets. */
function finderOf(call: GuardedCall, context: ShellContext, reading: Effort): (tested: Tested) => Hit[] {
  if (call.kind === "file") return ({ rules, effort }) => rules.hitsOfFile(call, context, effort);
  const read = call.shell === "powershell" ? readPowerShell : readCommandLine;
  const invocations = read(call.command, context, reading);
  return ({ rules, effort }) => rules.hitsOfCommand(invocations, context, effort);
}
