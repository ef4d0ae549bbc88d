import type { Argument } from "./invocation.ts";
import { isUnknown, unknownPart, unknownText } from "./invocation.ts";
import type { ShellContext } from "./invocation.ts";
import path from "node:path";
import { hiddenWith } from "./glob-names.ts";

/** Returns the output of a simple command, as far as its command line and its input say it; null where that is not known. */
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
    case "pwd":
      return folder;
    case "which":
    case "realpath":
    case "readlink":
      return texts.findLast((text) => !text.startsWith("-")) ?? null;
    case "command":
      return first === "-v" ? (second ?? null) : null;
    case "dirname":
      return first === undefined || isUnknown(first) ? null : path.posix.dirname(first);
    case "basename":
      return first === undefined || isUnknown(first) ? null : path.posix.basename(first);
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
      // Of known names any may be among those that are left.
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

/** What stands for the letters that mktemp draws: a name of its own, never all of a folder. */
const drawn = `tmp.${unknownText}`;

/** Returns the path of the new file or folder that mktemp makes. */
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
  const name = template === null ? drawn : namedAfter(template);
  if (template !== null && folder === null) return name;
  return path.posix.join(folder ?? temporary, name);
}

/** A template without places for letters, such as the prefix that macOS takes, gets them behind it. */
function namedAfter(template: string): string {
  const last = template.lastIndexOf("XXX");
  if (last === -1) return `${template}.${drawn}`;
  const before = template.slice(0, last).replace(/(?<!X)X+$/u, "");
  return `${before}${drawn}${template.slice(last + 3)}`;
}

/** Returns a line that git prints by a format which is more than a name; null where it prints names. */
function formattedRefs(texts: readonly string[]): string | null {
  const at = texts.findIndex((text) => text === "--format" || text.startsWith("--format="));
  if (at === -1) return null;
  const format = texts[at] === "--format" ? (texts[at + 1] ?? "") : (texts[at]?.slice(9) ?? "");
  return /^%\([^()]*\)$/u.test(format) ? null : `${format.replaceAll(/%\([^()]*\)/gu, unknownText)}\n`;
}

/** Returns the branches that git lists by patterns, each with what only git knows in place of a star; null for those of any name. */
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

/** Returns what a search finds with a pattern for the beginning of a line, such as the branches of one folder: `^ *tmp/`; null otherwise. */
function beginning(texts: readonly string[]): string | null {
  const [pattern = "", ...others] = texts.filter((text) => !/^-[EFiPw]+$/u.test(text));
  const name = /^\^(?:[ *+?.]|\\s|\[[ *]+\])*([A-Za-z][\w-]*\/)[.*]*$/u.exec(pattern)?.[1];
  return name === undefined || others.length > 0 ? null : `${name}${unknownText}\n`;
}

/** Names that ls prints: those of a folder, or with -d its own words. */
function listed(texts: readonly string[]): string | null {
  const names = texts.filter((text) => !text.startsWith("-"));
  const isLong = texts.some((text) => /^-[a-zA-Z]*[lst]/u.test(text));
  if (isLong) return null;
  const isWithHidden = texts.some((text) => /^(?:-[a-zA-Z0-9]*[aA]|--(?:almost-)?all$)/u.test(text));
  if (names.length === 0) return isWithHidden ? `./${unknownText}\n${hiddenFile}\n` : `./${unknownText}\n`;
  const isOwn = texts.some((text) => /^-[a-zA-Z]*d/u.test(text));
  if (isOwn || names.every((text) => /[*?]/u.test(text) || /\w\.\w+$/u.test(text)))
    return names.map((name) => `${name}\n`).join("");
  // What is in a folder has only its name, which leads to this one.
  return `./${unknownText}\n`;
}

/** Stands for the names that ls prints only when it is asked for all. */
const hiddenFile = `./.${unknownText}`;

/** Returns the names of files that matter, of those that a search leaves of all names in a folder; null for none. */
function hiddenNames(texts: readonly string[]): string | null {
  const [pattern = "", ...others] = texts.filter((text) => !/^-[EFiP]+$/u.test(text));
  if (others.length > 0 || !/^\^?[\w.\\-]+\$?$/u.test(pattern)) return null;
  const found = hiddenWith(pattern.replaceAll(/[\\^$]/gu, ""));
  return found.length === 0 ? null : found.map((name) => `./${name}\n`).join("");
}

function decoded(input: string): string | null {
  return /^[A-Za-z0-9+/=\s]+$/u.test(input) ? Buffer.from(input, "base64").toString("utf8") : null;
}

/** Words that a format of printf is used again for. */
const mostPrinted = 200;

/** Puts words into a format of printf, which is used again while words are left, as far as scripts that hide commands use it. */
function formatted([format = "", ...words]: readonly string[]): string {
  const rest = words.slice(0, mostPrinted);
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
