import type { Argument } from "./invocation.ts";
import { codeOption } from "./inline-code.ts";
import { shells } from "./wrappers.ts";

const evaluating = new Set(["eval", "source", ".", "invoke-expression", "[scriptblock]::create"]);
const powershells = new Set(["pwsh", "powershell"]);

/**
 * Returns the programs whose output a command runs as a script: those that are part of its words, and those that write its input where
 * nothing else is its script.
 * @param input programs that write its input
 */
export function scriptSources(
  program: string,
  args: readonly Argument[],
  input: readonly string[],
): readonly string[] {
  const isShell = shells.has(program) || powershells.has(program);
  const option = codeOption(program);
  if (!isShell && !evaluating.has(program) && option === null) return [];
  const given = args.flatMap(({ from }) => from);
  return takesInput(program, args, isShell) ? [...input, ...given] : given;
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
