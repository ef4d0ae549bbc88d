/** Reads shell commands. */
import { readingEffort, type Effort } from "./effort.ts";
import type { Invocation, ShellContext } from "./commands/invocation.ts";
import { runLoosely } from "./commands/run-words.ts";
import { newScope } from "./commands/scope.ts";
import { Reader } from "./commands/shell-reader.ts";

export { isUnknown, type Invocation, type ShellContext } from "./commands/invocation.ts";
export { readCommandLine } from "./commands/shell-reader.ts";
export { absolutePath, fileCommand } from "./waste/file-command.ts";
export { readOptions } from "./calls/read-options.ts";
export { shellOf } from "./work/command-facts.ts";

/** Returns every program that a line of PowerShell would run, read by its words. Nothing is run. */
export function readPowerShell(
  text: string,
  context: ShellContext,
  effort: Effort = readingEffort(),
): Invocation[] {
  const reader = new Reader(effort);
  runLoosely(text, "powershell", { reader, scope: newScope(context, effort) });
  return [...reader.found, ...reader.apart.found];
}
