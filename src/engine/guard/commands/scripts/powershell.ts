import type { Effort } from "../../effort.ts";
import { unknownPart, unknownText } from "../invocation.ts";

/** Maximum variables of one command line. */
const maxVariables = 20;
/** Maximum length of a value. Characters. */
const maxValueLength = 200;
/** Maximum length of the text with all values. Characters. */
const maxTextLength = 16_000;

// Bounded, as unbounded parts of these patterns would take quadratic time.
const assignment =
  /\$(\w{1,60})\s{0,9}=\s{0,9}(?:'([^'\n]{0,200})'|"((?:[^"$`\n]|\$(?:env:\w{1,60}\b|HOME\b)){0,200})"|((?:\$env:\w{1,60}|\$HOME|~)[^\s"'$`;|&(){}]{0,200}))/giu;
/** A path of two parts. */
const joining =
  /\(?Join-Path\s{1,9}(?:-Path\s{1,9})?["']?((?:\$env:\w{1,60}|\$HOME|~|[A-Za-z]:)[^\s"'$`;|&(){}]{0,200})["']?\s{1,9}(?:-ChildPath\s{1,9})?["']?([^\s"'$`;|&(){}]{1,200})["']?\)?/giu;
/** Texts that are run. */
const scriptBlock = /\[(?:System\.Management\.Automation\.)?scriptblock\]::Create\(/giu;
const bracketedText = /\b(?:iex|Invoke-Expression)\s{0,9}\(\s{0,9}(?=["'])/giu;
/** Two joined texts. */
const joined = /(["'])([^"'`$\n]{0,200})\1\s{0,9}\+\s{0,9}(["'])([^"'`\n]{0,200})\3/gu;
/** Maximum joined parts of a text. */
const maxJoins = 5;
/** Methods of .NET that delete a literal path. */
const deleting =
  /\[(?:System\.)?IO\.(?:Directory|File)\]::Delete\(\s{0,9}((['"])[^'"\n]{0,300}\2|\$HOME|\$env:USERPROFILE)[^)\n]{0,99}\)/giu;
/** Objects of .NET that download. */
const downloading =
  /(?:\(\s{0,9})?New-Object\s{1,9}(?:System\.)?Net\.WebClient\s{0,9}\)?\s{0,9}\.Download(?:String|Data|File)\s{0,9}\(\s{0,9}([^)\n]{0,300})\)/giu;

/** Objects of .NET that upload a file. */
const uploading =
  /(?:\(\s{0,9})?New-Object\s{1,9}(?:System\.)?Net\.WebClient\s{0,9}\)?\s{0,9}\.Upload(?:File|Data)\s{0,9}\(\s{0,9}(['"][^'"\n]{0,300}['"])\s{0,9},\s{0,9}(['"][^'"\n]{0,300}['"])/giu;
/** A decoded literal. */
const decoding =
  /\(?\s{0,9}\[(?:System\.)?(?:Text\.)?(?:Encoding|ASCIIEncoding|UnicodeEncoding)\]::(UTF8|Unicode|ASCII|Default)\.GetString\(\s{0,9}\[(?:System\.)?Convert\]::FromBase64String\(\s{0,9}["']([A-Za-z0-9+/=]{4,4000})["']\s{0,9}\)\s{0,9}\)\s{0,9}\)?/giu;
/** A loop over a listing. */
const looping = /\bforeach\s{0,9}\(\s{0,9}\$\w{1,60}\s{1,9}in\s{1,9}\(?([^()$\n]{1,200})\)?\s{0,9}\)/giu;

/** Replaces variables of the line by their values, and methods of .NET by equal commands. */
export function plainPowerShell(text: string, effort: Effort): string {
  return withValues(withJoined(withDecoded(text).replaceAll(joining, "$1\\$2")), effort)
    .replaceAll(scriptBlock, "Invoke-Expression (")
    .replaceAll(bracketedText, "Invoke-Expression ")
    .replaceAll(deleting, "Remove-Item -Recurse -Force $1")
    .replaceAll(uploading, "(Invoke-WebRequest $1 -InFile $2")
    .replaceAll(looping, "$1 | ForEach-Object ")
    .replaceAll(downloading, "(Invoke-WebRequest $1)");
}

function withDecoded(text: string): string {
  return text.replaceAll(decoding, (_all, encoding: string, hidden: string) => {
    const bytes = Buffer.from(hidden, "base64");
    const plain = bytes.toString(/^unicode$/iu.test(encoding) ? "utf16le" : "utf8");
    return `'${plain.replaceAll("'", "''")}'`;
  });
}

function withJoined(text: string): string {
  let plain = text;
  for (let join = 0; join < maxJoins && plain.includes("+"); join += 1)
    plain = plain.replaceAll(
      joined,
      (_all, _one, first: string, quote: string, second: string) => `${quote}${first}${second}${quote}`,
    );
  return plain;
}

function withValues(text: string, effort: Effort): string {
  let whole = text;
  const assignments = [...text.matchAll(assignment)];
  if (assignments.length > maxVariables) effort.leaveOut();
  for (const match of assignments.slice(0, maxVariables)) {
    const [written, name = "", single, double, bare] = match;
    const value = single ?? double ?? bare ?? "";
    if (value === "" || value.length > maxValueLength) continue;
    const at = whole.indexOf(written) + written.length;
    const word = /\s/u.test(value) ? `'${value}'` : value;
    const use = new RegExp(`\\$(?:${name}\\b(?!\\s{0,9}=|:)|\\{${name}\\})`, "giu");
    const filled = whole.slice(0, at) + whole.slice(at).replaceAll(use, () => word);
    if (filled.length > maxTextLength) effort.leaveOut();
    whole = filled.slice(0, maxTextLength);
  }
  return whole;
}

/** The listing in a pipeline. */
export interface PipedItems {
  readonly path: string;
  readonly isRecursive: boolean;
}

/** Options of Get-ChildItem that take the next word. */
const valued = /^-(?:pa|lit|filt|inc|exc|dep|att|err)[a-z]*$/iu;
const narrowing = /^-(?:filt|inc|exc|att)[a-z]*$/iu;
const named = /^-(?:pa|lit)[a-z]*$/iu;

/** Returns what Get-ChildItem lists: everything in a folder, or some of its files. */
export function listedBy(words: readonly string[]): PipedItems {
  const at = words.findIndex((word) => named.test(word));
  const operand =
    at === -1
      ? words.find((word, index) => !word.startsWith("-") && !valued.test(words[index - 1] ?? ""))
      : words[at + 1];
  const path = (operand ?? ".").replace(/(?<![\\/])[\\/]+$/u, "");
  const isRecursive = words.some((word) => /^-(?:r|s$)[a-z]*$/iu.test(word));
  const last = path.split(/[\\/]/u).at(-1) ?? "";
  const isAll = /^\*(?:\.\*)?$/u.test(last);
  const isSome = words.some((word) => narrowing.test(word)) || (!isAll && /[*?]/u.test(last));
  const folder = /[*?]/u.test(last) ? path.slice(0, -last.length).replace(/[\\/]$/u, "") || "." : path;
  const items = { path: `${folder}/${unknownText}`, isRecursive };
  return isSome ? fewer(items) : items;
}

/** Returns the items after a filter. */
export function fewer({ path, isRecursive }: PipedItems): PipedItems {
  return { path: `${path}/${unknownText}`, isRecursive };
}

/** Adds the piped path to the words of a deletion. */
export function withItems(words: readonly string[], { path, isRecursive }: PipedItems): readonly string[] {
  const operands = words.filter((word, at) => !word.startsWith("-") && !valued.test(words[at - 1] ?? ""));
  if (operands.some((word) => !word.includes(unknownPart) && !word.startsWith("$_"))) return words;
  const flags = words.filter((word) => !operands.includes(word));
  return [...flags, ...(isRecursive ? ["-Recurse"] : []), path];
}
