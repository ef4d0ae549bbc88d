import type { Effort } from "../effort.ts";
import { plainArgument, unknownText, type Argument } from "./invocation.ts";
import { wordsWithin } from "./programs/typical-words.ts";
import type { Scope } from "./scope.ts";

/** Tests of find that narrow which files it finds. Age and owner do not: most files of a project have the same. */
const narrowing =
  /^-(?:i?name|i?path|i?regex|i?wholename|empty|newer.*|size|perm|samefile|inum|links|xtype|l?name|nouser|nogroup|executable)$/u;
/** Tests and actions of find that take the next word. */
const findValued =
  /^-(?:i?name|i?path|i?regex|i?wholename|i?lname|newer.*|[acm](?:time|min)|size|user|group|perm|samefile|inum|links|x?type|maxdepth|mindepth|fstype|printf|fprint0?|fls|regextype|used|uid|gid|context)$/u;
const running = /^-(?:exec|execdir|ok|okdir)$/u;
/** A name or pattern that matches every file. */
const anyFindName = /^(?:\.\/)?[*.]*$/u;
/** Rare kinds of files. */
const rareTypes = /^[bcpls,]+$/u;

/** Maximum depth of brackets. */
const maxDepth = 20;

/** Whether the files that an expression finds are narrowed, and whether the others are. */
interface Narrowed {
  readonly found: boolean;
  readonly rest: boolean;
}

/**
 * Tests whether only some files reach an action of find. A negated test does not narrow: `! -name a` finds all files but one.
 * @param at place of the action
 */
function isNarrowedAt(texts: readonly string[], at: number): boolean {
  return new Expression(texts, at).read(0).found;
}

/** Returns the names that files must have. */
function namesOf(texts: readonly string[]): readonly string[] {
  const isNegated = texts.some(
    (text) => text === "!" || text === "-not" || text === "-o" || text === "-or" || text === ",",
  );
  if (isNegated) return [];
  return texts.flatMap((text, at) =>
    text === "-name" || text === "-iname" ? texts.slice(at + 1, at + 2) : [],
  );
}

class Expression {
  readonly #texts: readonly string[];
  readonly #end: number;
  #at = 0;
  /** The action was reached inside brackets. */
  #isReached = false;

  constructor(texts: readonly string[], end: number) {
    this.#texts = texts;
    this.#end = Math.min(end, texts.length);
  }

  /** Reads alternatives, up to a closing bracket or the action. */
  read(depth: number): Narrowed {
    let all: Narrowed | null = null;
    for (;;) {
      const part = this.#readAll(depth);
      // The action belongs to the last alternative. The others only exclude files.
      if (this.#isReached || this.#at >= this.#end) return part;
      all = all === null ? part : { found: all.found && part.found, rest: all.rest || part.rest };
      const text = this.#texts[this.#at];
      if (text === "-o" || text === "-or" || text === ",") this.#at += 1;
      else return all;
    }
  }

  /** Reads tests that must all pass. */
  #readAll(depth: number): Narrowed {
    let found = false;
    let rest = true;
    let isFirst = true;
    while (this.#at < this.#end) {
      const text = this.#texts[this.#at] ?? "";
      if (text === "-o" || text === "-or" || text === "," || text === ")") break;
      if (text === "-a" || text === "-and") {
        this.#at += 1;
        continue;
      }
      const each = this.#readTest(depth);
      if (each === null) continue;
      found ||= each.found;
      rest = isFirst ? each.rest : rest && each.rest;
      isFirst = false;
      if (this.#isReached) break;
    }
    return { found, rest: !isFirst && rest };
  }

  /** Reads one test; null for any other word. */
  #readTest(depth: number): Narrowed | null {
    const text = this.#texts[this.#at] ?? "";
    this.#at += 1;
    if (text === "!" || text === "-not") {
      if (this.#at >= this.#end) return null;
      const { found, rest } = this.#readTest(depth) ?? { found: false, rest: false };
      return { found: rest, rest: found };
    }
    if (text === "(" && depth < maxDepth) {
      const inner = this.read(depth + 1);
      if (this.#at >= this.#end) this.#isReached = true;
      else this.#at += 1;
      return inner;
    }
    if (running.test(text)) {
      const end = this.#texts.findIndex((each, at) => at >= this.#at && (each === ";" || each === "+"));
      this.#at = end === -1 ? this.#end : end + 1;
      return null;
    }
    const value = this.#texts[this.#at] ?? "";
    if (findValued.test(text)) this.#at += 1;
    if (text === "-type") return rareTypes.test(value) ? { found: true, rest: false } : null;
    if (!narrowing.test(text)) return null;
    const isAny = /^-(?:i?name|i?path|i?regex|i?wholename)$/u.test(text) && anyFindName.test(value);
    return { found: !isAny, rest: false };
  }
}

/** A name that matches every file. */
const anyName = /^[*.]*$/u;
/** Options of fd that take the next word. */
const valued = new Set(
  "-e --extension -d --max-depth --min-depth --exact-depth -t --type -E --exclude -S --size -o --owner -j --threads --changed-within --changed-before --base-directory --search-path".split(
    " ",
  ),
);

/** Maximum start folders of a search. With more, typical ones represent all. */
const maxStarts = { whole: 50, typical: 200 };

/** Returns the start folders of find, each once. */
function startPoints(args: readonly Argument[], effort: Effort): readonly string[] {
  const end = args.findIndex(
    ({ text }) => /^(?:-[a-zA-KM-OQ-Z]|[(!,])/u.test(text) && !/^-[HLP]+$/u.test(text),
  );
  const starts = (end === -1 ? args : args.slice(0, end))
    .map(({ text }) => text)
    .filter((text) => !/^-[HLP]+$/u.test(text));
  if (starts.length === 0) return ["."];
  return wordsWithin([...new Set(starts)].map(plainArgument), maxStarts, effort).map(({ text }) => text);
}

/** Folders of the system, and homes: they contain too many files with any name. */
const broad =
  /^(?:\/|~|\/(?:home|Users)\/[^/]+|\/(?:bin|boot|etc|home|lib\w*|opt|root|sbin|srv|sys|usr(?:\/\w+)?|var|Users|Library))\/?$/u;

/**
 * Returns the paths that find or fd finds, by its words: `./\uFFFD` is everything below the folder.
 * @param at place of the action's word
 */
export function foundFiles(
  program: string,
  args: readonly Argument[],
  { context: { home }, effort }: Pick<Scope, "context" | "effort">,
  at = args.length,
): readonly Argument[] {
  const { starts, name, isNarrowed } =
    program === "find" ? ofFind(args, at, effort) : ofFd(args.slice(0, at));
  return starts.flatMap((start) => {
    const below = `${start.replace(/(?<!\/)\/+$/u, "")}/${unknownText}`;
    const own =
      name === null ? [] : [{ ...plainArgument(`${below}/${name}`), isPattern: /[*?[]/u.test(name) }];
    // A narrowed search does not find all of a folder, unless the folder is the system's or a home.
    const isBroad = broad.test(start) || start.replace(/(?<!\/)\/+$/u, "") === home;
    const all = isNarrowed && !isBroad ? [] : [plainArgument(below)];
    const some = own.length + all.length === 0 ? [plainArgument(`${below}/${unknownText}`)] : [];
    return [...all, ...own, ...some];
  });
}

interface Search {
  readonly starts: readonly string[];
  /** The files' name; null if unknown. */
  readonly name: string | null;
  readonly isNarrowed: boolean;
}

function ofFind(args: readonly Argument[], at: number, effort: Effort): Search {
  const texts = args.map(({ text }) => text);
  const isNarrowed = isNarrowedAt(texts, at);
  const [name, ...others] = namesOf(texts);
  const isOne = name !== undefined && others.length === 0 && !anyName.test(name) && isNarrowed;
  return { starts: startPoints(args, effort), name: isOne ? name : null, isNarrowed };
}
function ofFd(args: readonly Argument[]): Search {
  const operands: string[] = [];
  let isNarrowed = false;
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at]?.text ?? "";
    if (/^(?:-[xX]|--exec(?:-batch)?)$/u.test(text)) break;
    if (valued.has(text)) {
      isNarrowed ||= !/^(?:-[tjE]|--type|--threads|--exclude)$/u.test(text);
      at += 1;
    } else if (!text.startsWith("-")) operands.push(text);
  }
  const [pattern = "", ...starts] = operands;
  const name = pattern.replaceAll(/^\^|\$$/gu, "").replaceAll("\\.", ".");
  const isName = /^[\w.-]+$/u.test(name) && !anyName.test(name);
  return {
    starts: starts.length === 0 ? ["."] : starts,
    name: isName ? name : null,
    isNarrowed: isNarrowed || !anyName.test(pattern),
  };
}
