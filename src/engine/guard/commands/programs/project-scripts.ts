import type { Argument } from "../invocation.ts";
import type { Scope } from "../scope.ts";
import { optionScripts } from "../scripts/in-options.ts";
import { composeFiles, composeMounts } from "../stored/compose-mounts.ts";
import { writtenText } from "../written-files.ts";

const managers = new Set(["npm", "pnpm", "yarn", "bun"]);
const installing = new Set(["install", "i", "ci", "add"]);
const atInstall = ["preinstall", "install", "postinstall", "prepare"];
const makefiles = ["GNUmakefile", "makefile", "Makefile"];

/** Returns the scripts that a command runs of a package.json, a makefile or a file of compose that the same command line has written. */
export function projectScripts(program: string, args: readonly Argument[], scope: Scope): readonly string[] {
  if (scope.files.size === 0) return [];
  const texts = args.map(({ text }) => text);
  const composed = composeFiles(program, texts).flatMap((names) =>
    names.map((name) => writtenText(scope, name)).filter((text) => text !== null),
  );
  if (composed.length > 0) return composed.flatMap(composeMounts);
  if (managers.has(program)) return packageScripts(texts, writtenText(scope, "package.json"));
  if (program !== "make" && program !== "gmake") return [];
  const at = texts.findIndex((text) => text === "-f" || text === "--file");
  const names = at === -1 ? makefiles : [texts[at + 1] ?? ""];
  const text = names.map((name) => writtenText(scope, name)).find((each) => each !== null) ?? null;
  return text === null ? [] : optionScripts("make", [{ text: "-f-", isPattern: false, from: [] }], text);
}

function packageScripts(words: readonly string[], text: string | null): readonly string[] {
  if (text === null) return [];
  const [first = "", second = ""] = words.filter((word) => !word.startsWith("-"));
  const name = first === "run" || first === "run-script" ? second : first === "t" ? "test" : first;
  const wanted = installing.has(first) || first === "" ? atInstall : [`pre${name}`, name, `post${name}`];
  return wanted.flatMap((each) => {
    const at = text.search(new RegExp(`"${each.replaceAll(/[^\w:-]/gu, "")}"\\s{0,9}:\\s{0,9}"`, "u"));
    const written =
      at === -1 ? null : /^"[^"]{1,80}"\s{0,9}:\s{0,9}("(?:[^"\\\n]|\\.){0,2000}")/u.exec(text.slice(at));
    const script: unknown = written?.[1] === undefined ? null : parsed(written[1]);
    return typeof script === "string" ? [script] : [];
  });
}

function parsed(literal: string): unknown {
  try {
    return JSON.parse(literal);
  } catch {
    // A text with an escape that JSON has not: npm does not run it either.
    return null;
  }
}
