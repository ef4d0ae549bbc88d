import type { Argument } from "./invocation.ts";
import { codeOption } from "./inline-code.ts";
import type { Input } from "./inner-scope.ts";
import { shells } from "./wrappers.ts";

const evaluating = new Set(["eval", "source", ".", "invoke-expression", "[scriptblock]::create"]);
/** Stands for a program that gives a shell a text which is not known here. */
export const unreadText = "unread-text";
/** Programs that pass on files, which are read where the shell runs them, or that only run such a one. */
const passing = new Set(["cat", "tee", "sudo", "doas", "env", "command", "time", "timeout", "nice"]);
const powershells = new Set(["pwsh", "powershell"]);

/**
 * Returns the programs whose output a command runs as a script: those that are part of its words, and those that write its input where
 * nothing else is its script.
 * @param input programs that write its input, and its text where that is known
 */
export function scriptSources(program: string, args: readonly Argument[], input: Input): readonly string[] {
  const isShell = shells.has(program) || powershells.has(program);
  const option = codeOption(program);
  if (!isShell && !evaluating.has(program) && option === null) return [];
  const given = args.flatMap(({ from }) => from);
  if (!takesInput(program, args, isShell)) return given;
  const isUnread = isShell && isUnreadText(input);
  return [...input.from, ...given, ...(isUnread ? [unreadText] : [])];
}

/** Whether a program of which the output is not known here has written a text. */
export function isUnreadText({ text, from }: Input): boolean {
  return text === null && from.some((each) => !each.startsWith("<") && !passing.has(each));
}

function takesInput(program: string, args: readonly Argument[], isShell: boolean): boolean {
  if (program === "invoke-expression") return args.length === 0;
  if (evaluating.has(program)) return false;
  const isExplicit = args.some(
    ({ text }) => text === "-" || text === "/dev/stdin" || (isShell && text === "-s"),
  );
  // Every other operand, or an option that gives code or names a module, is the script.
  return (
    isExplicit ||
    !args.some(({ text }) => !text.startsWith("-") || /^-(?:[ce]$|m|(?:-eval|-call|pe|ne)$)/u.test(text))
  );
}
