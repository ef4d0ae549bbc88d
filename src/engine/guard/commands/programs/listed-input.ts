import type { Argument } from "../invocation.ts";
import type { Input } from "../inner-scope.ts";
import type { Scope } from "../scope.ts";
import { inputOf } from "../written-files.ts";

/** Programs that take the words of a list. */
const listing = new Set(["xargs", "parallel"]);

export const isListing = (program: string): boolean => listing.has(program);

/** Returns the list that xargs or parallel reads: a named file, or else its input. */
export function listedInput(program: string, args: readonly Argument[], input: Input, scope: Scope): Input {
  const file = listOf(program, args);
  return file === undefined ? input : inputOf(file, scope);
}

function listOf(program: string, args: readonly Argument[]): Argument | undefined {
  for (const [at, arg] of args.entries()) {
    const { text } = arg;
    if (text === "-a" || text === "--arg-file" || (program === "parallel" && text === "::::"))
      return args[at + 1];
    const joined = /^(?:--arg-file=|-a)(?=.)/u.exec(text)?.[0];
    if (joined !== undefined) return { ...arg, text: text.slice(joined.length) };
    // What follows is the command that the list is for.
    if (!text.startsWith("-") && program === "xargs" && !valued.has(args[at - 1]?.text ?? ""))
      return undefined;
  }
  return undefined;
}

const valued = new Set(
  "-I -n -P -L -d -E -s --max-args --max-procs --max-lines --delimiter --replace".split(" "),
);
