import type { Argument } from "../invocation.ts";
import type { Scope } from "../scope.ts";

/** Options of `git remote add` that take the next word. */
const valued = new Set(["-t", "-m"]);

/**
 * Returns the words of a push with the address in place of the name of a remote that the command line itself has added, and remembers such
 * a remote. A project's first remote is where its code belongs.
 */
export function throughRemotes(
  program: string,
  args: readonly Argument[],
  scope: Scope,
): readonly Argument[] {
  if (program !== "git") return args;
  const [first, second] = args;
  if (first?.text === "remote" && second?.text === "add") {
    const [name, address] = args
      .slice(2)
      .filter(({ text }, at) => !text.startsWith("-") && !valued.has(args[at + 1]?.text ?? ""));
    if (name !== undefined && address !== undefined && name.text !== "origin")
      scope.remotes.set(name.text, address);
    return args;
  }
  if (scope.remotes.size === 0 || first?.text !== "push") return args;
  return args.map((arg) => scope.remotes.get(arg.text) ?? arg);
}
