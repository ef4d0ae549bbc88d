import { readingEffort, type Effort } from "../../effort.ts";
import type { Invocation, ShellContext } from "../invocation.ts";
import { runLoosely } from "../run-words.ts";
import { newScope } from "../scope.ts";
import { Reader } from "../shell-reader.ts";

/** Reads a line of PowerShell by its words, and returns every program that it would run: wrappers and scripts opened. Nothing is run. */
export function readPowerShell(
  text: string,
  context: ShellContext,
  effort: Effort = readingEffort(),
): Invocation[] {
  const reader = new Reader(effort);
  runLoosely(text, "powershell", { reader, scope: newScope(context, effort) });
  return [...reader.found, ...reader.apart.found];
}
