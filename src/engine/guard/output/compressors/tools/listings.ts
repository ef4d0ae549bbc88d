import { beginsWith, indentOf, type Compressor, type OutputText } from "../compressor.ts";
import { kindOf } from "../left-out.ts";
import type { Marks } from "../marks.ts";
import { generatedFolder, generatedIn } from "./generated.ts";

const entries = kindOf("listing", "entry of generated folders", "entries of generated folders");
const matches = kindOf("listing", "match in generated files", "matches in generated files");
const more = kindOf("listing", "more entry", "more entries");

/** Of a longer list, the middle is left out. */
const mostEntries = 300;
const keptAtEnd = 20;

export const listings: Compressor = {
  runs: (words) =>
    beginsWith(words, "ls", "find", "fd", "fdfind", "tree", "locate", "du", "git ls-files", "exa", "eza") ||
    searchesNames(words),
  mark: ({ lines }, marks, isExpected) => {
    if (!isExpected) return;
    markBlocks(lines, marks);
    markTree(lines, marks);
    markPaths(lines, marks);
    if (lines.length > mostEntries)
      for (let index = mostEntries - keptAtEnd; index < lines.length - keptAtEnd; index += 1)
        if (isEntry(lines[index] ?? "")) marks.dropQuiet(index, more);
  },
};

/** Matches of a search: those in files that tools write are left out, and most of a file that has many. */
export const searches: Compressor = {
  runs: (words) => beginsWith(words, "rg", "grep", "egrep", "fgrep", "ag", "ack", "git grep"),
  mark: ({ lines }, marks, isExpected) => {
    if (!isExpected) return;
    const pathOf = (line: string) => /^([^:\s][^:]{0,400}):\d+:/u.exec(line)?.[1];
    const paths = lines.map(pathOf);
    markCrowded(lines, paths, marks);
    if (paths.every((path) => path === undefined || generatedIn(path))) return;
    paths.forEach((path, index) => {
      if (path !== undefined && generatedIn(path)) marks.drop(index, matches);
    });
  },
};

const crowded = kindOf("matches", "more match in this file", "more matches in this file");
/** Of a file with more matches, the first and the last are kept. */
const mostMatches = 30;
const keptMatches = { first: 15, last: 5 };

/** Lines that stand beside each other in the file may be read as its text, and are kept. */
function markCrowded(lines: OutputText["lines"], paths: readonly (string | undefined)[], marks: Marks): void {
  for (let from = 0; from < paths.length;) {
    const path = paths[from];
    let end = from + 1;
    while (path !== undefined && end < paths.length && paths[end] === path) end += 1;
    if (path !== undefined && end - from > mostMatches) {
      const numbers = lines.slice(from, end).map((line) => Number.parseInt(line.slice(path.length + 1), 10));
      for (let at = keptMatches.first; at < numbers.length - keptMatches.last; at += 1) {
        const number = numbers[at] ?? 0;
        const isAlone = number - (numbers[at - 1] ?? 0) > 1 && (numbers[at + 1] ?? 0) - number > 1;
        if (isAlone) marks.dropQuiet(from + at, crowded);
      }
    }
    from = end;
  }
}

/** A path, a branch of a tree, or a line of `ls -l`. */
function isEntry(line: string): boolean {
  return /^\S*$|^[-dlcbps][-rwxsStT]{9}/u.test(line) || branch.test(line);
}

function searchesNames(words: readonly string[]): boolean {
  if (!beginsWith(words, "rg", "grep", "git grep")) return false;
  return words.some((word) =>
    /^(?:--files|--files-with-matches|--name-only|-[a-zA-Z]*l[a-zA-Z]*)$/u.test(word),
  );
}

/** The blocks of `ls -R`, each below the path of its folder. */
function markBlocks(lines: OutputText["lines"], marks: Marks): void {
  const folders = lines.map((line) => (/^\S.*:$/u.test(line) ? line.slice(0, -1) : null));
  const named = folders.filter((folder) => folder !== null);
  if (named.length < 2 || named.every(generatedFolder)) return;
  let isGenerated = false;
  folders.forEach((folder, index) => {
    if (folder !== null) isGenerated = generatedFolder(folder);
    if (isGenerated && lines[index] !== "") marks.drop(index, entries);
  });
}

const branch = /^(?:[│| ][\u00A0 ]{3})*[├└|`][─-]{2} (?<name>.+)$/u;

/** The lines of `tree` below a folder that tools fill. */
function markTree(lines: OutputText["lines"], marks: Marks): void {
  let depth: number | null = null;
  lines.forEach((line, index) => {
    const name = branch.exec(line)?.groups?.["name"];
    if (name === undefined) return;
    const own = line.length - name.length;
    if (depth !== null && own > depth) {
      marks.drop(index, entries);
      return;
    }
    depth = generatedFolder(name.replace(/\/$/u, "")) ? own : null;
  });
}

/** Paths of `find`. A search within such a folder is for what is in it. */
function markPaths(lines: OutputText["lines"], marks: Marks): void {
  const isPath = (line: string) => /^[^\s:]*\/[^:]*$/u.test(line) && indentOf(line) === 0;
  const paths = lines.filter(isPath);
  if (paths.length < 5 || paths.every(generatedFolder)) return;
  lines.forEach((line, index) => {
    if (isPath(line) && generatedFolder(line)) marks.drop(index, entries);
  });
}
