import { ownValue } from "../own-value.ts";
import { codeOption, takesCode } from "./inline-code.ts";
import type { Input } from "./inner-scope.ts";
import { type Argument, plainArgument } from "./invocation.ts";
import { powershells, shells } from "./wrappers.ts";

const evaluating = new Set(["eval", "source", ".", "invoke-expression", "[scriptblock]::create"]);
/** Label of an unknown text that a program passes to a shell. */
export const unreadText = "unread-text";
/** Programs that pass on a file, which is read elsewhere, or that run such a program. */
const passing = new Set(["cat", "tee", "sudo", "doas", "env", "command", "time", "timeout", "nice"]);

/**
 * Returns the programs with output that a command runs as a script: in its words, or in its input if that is the script.
 * @param input programs that write its input, and its text if known
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

/** Whether a program with unknown output has written a text. */
export function isUnreadText({ text, from }: Input): boolean {
  return text === null && from.some((each) => !each.startsWith("<") && !passing.has(each));
}

function takesInput(program: string, args: readonly Argument[], isShell: boolean): boolean {
  if (program === "invoke-expression") return args.length === 0;
  if (evaluating.has(program)) return false;
  const isExplicit = args.some(
    ({ text }) => text === "-" || text === "/dev/stdin" || (isShell && text === "-s"),
  );
  // An operand, or an option for code or a module, is the script instead.
  return (
    isExplicit ||
    !args.some(({ text }) => !text.startsWith("-") || /^-(?:[ce]$|m|(?:-eval|-call|pe|ne)$)/u.test(text))
  );
}

/** Interpreters of files or modules, with their options that take the next word. */
const interpreters: Readonly<Record<string, string>> = {
  python: "-W -X --check-hash-based-pycs",
  node: "-r --require --import --loader --env-file -C --conditions",
  bun: "-r --preload --env-file --cwd",
  ruby: "-I -r -C",
  php: "-d -c -z",
};
const names: Readonly<Record<string, string>> = {
  nodejs: "node",
  tsx: "node",
  "ts-node": "node",
  "ts-node-dev": "node",
  nodemon: "node",
  electron: "node",
  zx: "node",
  ipython: "python",
  ipython3: "python",
  coverage: "python",
  pypy: "python",
};
const version = /^(python|ruby|php|pypy)[\d.]+$/u;

/** Returns the language of an interpreter, by its name. */
export const interpreterOf = (program: string): string => ownValue(names, program) ?? program;

/** Returns the file or module of an interpreter's arguments, with its own arguments; empty for none. */
export function scriptFile(program: string, args: readonly Argument[]): readonly Argument[] {
  const plain = version.exec(program)?.[1] ?? program;
  const name = ownValue(names, plain) ?? plain;
  const listed = ownValue(interpreters, name);
  if (listed === undefined) return [];
  const valued = listed.split(" ");
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at]?.text ?? "";
    if (text === "-m" && name === "python") return args.slice(at + 1);
    if (text.startsWith("-m") && name === "python")
      return [plainArgument(text.slice(2)), ...args.slice(at + 1)];
    if (!text.startsWith("-")) return args.slice(at);
    if (text === "-" || takesCode(name, text)) return [];
    if (valued.includes(text)) at += 1;
  }
  return [];
}
