import type { Argument, Invocation } from "../../commands/invocation.ts";
import { type Claim, type TestClaim, placeOf } from "./claim.ts";
import { isCertain, isPlainName } from "./operands.ts";

/** Returns the names of tests in a runner's command. */
export function testClaims({ program, args, folder }: Invocation): Claim[] {
  if (folder === null) return [];
  if (program === "vitest" || program === "jest") return namedTests(program, args, folder);
  if (program === "pytest" || program === "py.test") return nodeIds(args, folder);
  return program === "go" && args[0]?.text === "test" ? goTests(args.slice(1), folder) : [];
}

/** A pattern without special characters. */
const plainPattern = /^[\p{L}\p{N} _:,'"/=<>@#%&!~-]+$/u;

function namedTests(runner: "vitest" | "jest", args: readonly Argument[], folder: string): TestClaim[] {
  // Another root, project or configuration may have tests elsewhere.
  if (
    args.some(({ text }) =>
      /^(?:--(?:root|rootDir|dir|config|project|projects|workspace)\b|-c$|-r$)/u.test(text),
    )
  )
    return [];
  return valuesOf(args, ["-t", "--testNamePattern", "--test-name-pattern"])
    .filter((value) => isCertain(value) && plainPattern.test(value.text) && isPlainName(value.text))
    .map(({ text: name }) => ({ kind: "test", runner, name, folder, places: [] }));
}

function nodeIds(args: readonly Argument[], folder: string): Claim[] {
  if (args.some(({ text }) => /^(?:--rootdir|--pyargs|-c$|--confcutdir)/u.test(text))) return [];
  return args.flatMap((arg): Claim[] => {
    const [file = "", ...names] = arg.text.split("::");
    const name = names.join("::").replace(/\[.*/su, "");
    if (names.length === 0 || !isCertain({ ...arg, isPattern: false }) || !file.endsWith(".py")) return [];
    const path = placeOf(file, folder);
    if (path === null || !isPlainName(arg.text) || !/^[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*$/u.test(name))
      return [];
    return [
      { kind: "path", path, shown: file, folder, isSearched: false },
      { kind: "test", runner: "pytest", name, folder, places: [path] },
    ];
  });
}

function goTests(args: readonly Argument[], folder: string): TestClaim[] {
  const end = args.findIndex(({ text }) => text === "-args" || text === "--args");
  const own = end === -1 ? args : args.slice(0, end);
  if (own.some(({ text }) => /^--?(?:C|tags|modfile|overlay)\b/u.test(text))) return [];
  const operands = own.filter(({ text }, index) => !text.startsWith("-") && !isGoValue(own[index - 1]?.text));
  // Excludes packages of other modules and patterns of the shell.
  if (!operands.every((arg) => isCertain(arg) && /^\.{1,2}(?:\/|$)/u.test(arg.text))) return [];
  const places = operands.length === 0 ? ["."] : operands.map(({ text }) => text);
  return valuesOf(own, ["-run", "--run", "-test.run"]).flatMap((value): TestClaim[] => {
    const name = /^\^?(?<name>[A-Za-z]\w*)\$?(?:\/|$)/u.exec(value.text)?.groups?.["name"];
    if (name === undefined || !isCertain(value)) return [];
    return [{ kind: "test", runner: "go", name, folder, places }];
  });
}

const goFlags = /^--?(?:v|race|short|json|failfast|cover|i|x|n|a|benchmem)$/u;

function isGoValue(before: string | undefined): boolean {
  return before?.startsWith("-") === true && !before.includes("=") && !goFlags.test(before);
}

function valuesOf(args: readonly Argument[], options: readonly string[]): Argument[] {
  return args.flatMap((arg, index) => {
    if (options.includes(arg.text)) return args[index + 1] ?? [];
    const option = options.find((each) => arg.text.startsWith(`${each}=`));
    return option === undefined ? [] : [{ ...arg, text: arg.text.slice(option.length + 1) }];
  });
}
