import { ownValue } from "../own-value.ts";
import { takesCode } from "./inline-code.ts";
import { plainArgument, type Argument } from "./invocation.ts";

/** Interpreters that run a file or a module, and their options that take the next word as their value. */
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
  pypy: "python",
};
const version = /^(python|ruby|php|pypy)[\d.]+$/u;

/** Returns the file or module that an interpreter's arguments name, with its own arguments; null if they name none. */
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
