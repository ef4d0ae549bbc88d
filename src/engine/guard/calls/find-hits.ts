import type { ShellContext } from "../commands/invocation.ts";
import { readCommandLine, readPowerShell } from "../commands/shell-reader.ts";
import type { FileCall } from "./match.ts";
import type { Hit, RuleSet } from "./rule-set.ts";

/** A call of a tool, as far as guard rules look at it. */
export type GuardedCall =
  | { readonly kind: "command"; readonly command: string; readonly shell: "posix" | "powershell" }
  | ({ readonly kind: "file" } & FileCall);

/** Returns the rules that fire on a call. Nothing is run, and no file is read. */
export function findHits(call: GuardedCall, rules: RuleSet, context: ShellContext): Hit[] {
  if (call.kind === "file") return rules.hitsOfFile(call, context);
  const read = call.shell === "powershell" ? readPowerShell : readCommandLine;
  return rules.hitsOfCommand(read(call.command, context), context);
}
