import type { Argument } from "./invocation.ts";
import { isUnknown, unknownPart, unknownText } from "./invocation.ts";
import type { ShellContext } from "./invocation.ts";
import path from "node:path";
import { hiddenWith } from "./glob-names.ts";

/** Returns the output of a simple command, by its words and input; null if unknown. */
export function printedBy(
  program: string,
  args: readonly Argument[],
  input: string | null,
  { folder, project, temporary }: Pick<ShellContext, "folder" | "project" | "temporary">,
): string | null {
  const texts = args.map(({ text }) => text);
  const [first, second] = texts;
  switch (program) {
    case "echo": {
      const words = first !== undefined && /^-[neE]+$/u.test(first) ? texts.slice(1) : texts;
      const isEscaped = words !== texts && (first ?? "").includes("e");
      return `${isEscaped ? unescaped(words.join(" ")) : words.join(" ")}\n`;
    }
    case "printf":
      return first === undefined ? null : formatted(first === "--" ? texts.slice(1) : texts);
    case "tee":
      return input;
    case "cat":
      return first === undefined || first === "-" ? input : null;
    case "cd":
    case "mkdir":
    case "set":
    case "export":
    case "true":
    case ":":
      return "";
    case "pwd":
      return folder;
    case "which":
    case "realpath":
    case "readlink":
      return texts.findLast((text) => !text.startsWith("-")) ?? null;
    case "command":
      return first === "-v" ? (second ?? null) : null;
    case "dirname":
    case "basename": {
      const name = first === "--" ? second : first;
      return name === undefined || isUnknown(name) ? null : path.posix[program](name);
    }
    case "mktemp":
      return freshPath(texts, temporary);
    case "base64":
      return input !== null && texts.some((text) => /^(?:-d|-D|--decode)$/u.test(text))
        ? decoded(input)
        : null;
    case "rev":
      return input === null ? null : Array.from(input.trimEnd()).reverse().join("");
    case "grep":
    case "egrep":
    case "rg":
      if (input?.includes(`${hiddenFile}\n`) === true) return hiddenNames(texts);
      return beginning(texts);
    case "head":
    case "tail":
    case "sort":
    case "uniq":
      // Any of the known names may be left.
      return texts.every((text) => /^(?:-.*|\d+)$/u.test(text)) ? input : null;
    case "ls":
      return listed(texts);
    case "git":
      if (first === "branch" || first === "for-each-ref" || first === "tag")
        return formattedRefs(texts) ?? (first === "tag" ? null : listedBranches(texts.slice(1)));
      if (first === "ls-files" && texts.slice(1).every((text) => text === "-z")) return `./${unknownText}\n`;
      return first === "rev-parse" && second === "--show-toplevel" ? project : null;
    default:
      return null;
  }
}

/** Stands for mktemp's random letters: a new name, never all of a folder. */
const randomName = `tmp.${unknownText}`;

/** Returns the path of mktemp's new file or folder. */
function freshPath(texts: readonly string[], temporary: string): string {
  let folder: string | null = null;
  let template: string | null = null;
  for (const [at, text] of texts.entries()) {
    const before = texts[at - 1] ?? "";
    if (/^-[a-zA-Z]*p$/u.test(before) || before === "--suffix") continue;
    if (/^-[a-zA-Z]*p$/u.test(text)) folder = texts[at + 1] ?? temporary;
    else if (text.startsWith("--tmpdir")) folder = text.slice(9) === "" ? temporary : text.slice(9);
    else if (/^-[a-zA-Z]*t$/u.test(text)) folder ??= temporary;
    else if (!text.startsWith("-")) template = text;
  }
  const name = template === null ? randomName : namedAfter(template);
  if (template !== null && folder === null) return name;
  return path.posix.join(folder ?? temporary, name);
}

/** Fills a template. One without places for letters, such as a prefix on macOS, gets them at its end. */
function namedAfter(template: string): string {
  const last = template.lastIndexOf("XXX");
  if (last === -1) return `${template}.${randomName}`;
  const before = template.slice(0, last).replace(/(?<!X)X+$/u, "");
  return `${before}${randomName}${template.slice(last + 3)}`;
}

/** Returns git's line for a format that is more than a name; null for names. */
function formattedRefs(texts: readonly string[]): string | null {
  const at = texts.findIndex((text) => text === "--format" || text.startsWith("--format="));
  if (at === -1) return null;
  const format = texts[at] === "--format" ? (texts[at + 1] ?? "") : (texts[at]?.slice(9) ?? "");
  return /^%\([^()]*\)$/u.test(format) ? null : `${format.replaceAll(/%\([^()]*\)/gu, unknownText)}\n`;
}

/** Returns the branches that git lists by patterns, with unknown text for stars; null for any branches. */
function listedBranches(texts: readonly string[]): string | null {
  if (texts.some((text) => /^(?:-r|-a|--remotes|--all|-d|-D|-m|-M|-v+|--contains)$/u.test(text))) return null;
  const patterns = texts
    .filter(
      (text, at) => !text.startsWith("-") && !/^--(?:sort|format|points-at)$/u.test(texts[at - 1] ?? ""),
    )
    .map((text) => text.replace(/^refs\/heads\//u, "").replace(/\/$/u, ""));
  if (patterns.length === 0 || patterns.some((text) => /^[*?]|^refs\b/u.test(text))) return null;
  const isPlain = texts.some((text) => text.startsWith("refs/heads/"));
  return patterns
    .map(
      (text) =>
        `${text.includes("*") ? text.replaceAll(/\*+/gu, unknownText) : isPlain ? `${text}/${unknownText}` : text}\n`,
    )
    .join("");
}

/** Returns the result of a search for the beginning of a line, such as branches in a folder: `^ *tmp/`; null otherwise. */
function beginning(texts: readonly string[]): string | null {
  const [pattern = "", ...others] = texts.filter((text) => !/^-[EFiPw]+$/u.test(text));
  const name = /^\^(?:[ *+?.]|\\s|\[[ *]+\])*([A-Za-z][\w-]*\/)[.*]*$/u.exec(pattern)?.[1];
  return name === undefined || others.length > 0 ? null : `${name}${unknownText}\n`;
}

/** Returns the names that ls prints: those in a folder, or with -d its operands. */
function listed(texts: readonly string[]): string | null {
  const names = texts.filter((text) => !text.startsWith("-"));
  const isLong = texts.some((text) => /^-[a-zA-Z]*[lst]/u.test(text));
  if (isLong) return null;
  const isWithHidden = texts.some((text) => /^(?:-[a-zA-Z0-9]*[aA]|--(?:almost-)?all$)/u.test(text));
  if (names.length === 0) return isWithHidden ? `./${unknownText}\n${hiddenFile}\n` : `./${unknownText}\n`;
  const isOwn = texts.some((text) => /^-[a-zA-Z]*d/u.test(text));
  if (isOwn || names.every((text) => /[*?]/u.test(text) || /\w\.\w+$/u.test(text)))
    return names.map((name) => `${name}\n`).join("");
  // Names in a folder are printed without it, so they lead to the current folder.
  return `./${unknownText}\n`;
}

/** Stands for hidden names, which ls prints only with -a. */
const hiddenFile = `./.${unknownText}`;

/** Returns the important hidden files that a search of a listing finds; null for none. */
function hiddenNames(texts: readonly string[]): string | null {
  const [pattern = "", ...others] = texts.filter((text) => !/^-[EFiP]+$/u.test(text));
  if (others.length > 0 || !/^\^?[\w.\\-]+\$?$/u.test(pattern)) return null;
  const found = hiddenWith(pattern.replaceAll(/[\\^$]/gu, ""));
  return found.length === 0 ? null : found.map((name) => `./${name}\n`).join("");
}

function decoded(input: string): string | null {
  return /^[A-Za-z0-9+/=\s]+$/u.test(input) ? Buffer.from(input, "base64").toString("utf8") : null;
}

/** Maximum words of printf. */
const maxPrinted = 200;

/** Fills a format of printf with words. The format is repeated while words are left. Covers what scripts use to hide commands. */
function formatted([format = "", ...words]: readonly string[]): string {
  const rest = words.slice(0, maxPrinted);
  const plain = unescaped(format);
  let whole = "";
  do {
    const before = rest.length;
    whole += plain.replaceAll(/%[-#0 +]*(?:[1-9]\d*)?(?:\.\d+)?([a-zA-Z%])/gu, (written, kind: string) => {
      if (kind === "%") return "%";
      const word = rest.shift();
      if (word === undefined) return words.length === 0 ? unknownPart : "";
      if (kind === "b") return unescaped(word);
      return kind === "s" || kind === "q" || kind === "d" ? word : written;
    });
    if (rest.length === before) break;
  } while (rest.length > 0);
  return whole;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(n|t|\\|x[0-9a-fA-F]{1,2}|0?[0-7]{1,3})/gu, (_whole, code: string) => {
    if (code === "n") return "\n";
    if (code === "t") return "\t";
    if (code === "\\") return "\\";
    const value = code.startsWith("x") ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8);
    return String.fromCharCode(value);
  });
}

/** Programs that print their words. */
export const printing: ReadonlySet<string> = new Set(["echo", "printf"]);
