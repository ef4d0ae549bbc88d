import { unknownPart, unknownText } from "../invocation.ts";

/** What a pipeline of PowerShell has listed. */
export interface PipedItems {
  readonly path: string;
  readonly isRecursive: boolean;
}

/** Options of Get-ChildItem that take the next word. */
const valued = /^-(?:pa|lit|filt|inc|exc|dep|att|err)[a-z]*$/iu;
const narrowing = /^-(?:filt|inc|exc|att)[a-z]*$/iu;
const named = /^-(?:pa|lit)[a-z]*$/iu;

/** Returns what Get-ChildItem lists by its words: everything in a folder, or some files of it. */
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

/** Returns what a filter leaves of such items. */
export function fewer({ path, isRecursive }: PipedItems): PipedItems {
  return { path: `${path}/${unknownText}`, isRecursive };
}

/** Returns the words of a command that deletes what it is piped, with the path of that. */
export function withItems(words: readonly string[], { path, isRecursive }: PipedItems): readonly string[] {
  const operands = words.filter((word, at) => !word.startsWith("-") && !valued.test(words[at - 1] ?? ""));
  if (operands.some((word) => !word.includes(unknownPart) && !word.startsWith("$_"))) return words;
  const flags = words.filter((word) => !operands.includes(word));
  return [...flags, ...(isRecursive ? ["-Recurse"] : []), path];
}
