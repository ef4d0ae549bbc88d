/**
 * Tests of find that narrow which files it finds, unless they are negated. One for a file's age or owner does not: most files of a
 * project are as old as another, and of one owner.
 */
const narrowing =
  /^-(?:i?name|i?path|i?regex|i?wholename|empty|newer.*|size|perm|samefile|inum|links|xtype|l?name|nouser|nogroup|executable)$/u;
/** Tests and actions of find that take the next word. */
const valued =
  /^-(?:i?name|i?path|i?regex|i?wholename|i?lname|newer.*|[acm](?:time|min)|size|user|group|perm|samefile|inum|links|x?type|maxdepth|mindepth|fstype|printf|fprint0?|fls|regextype|used|uid|gid|context)$/u;
const running = /^-(?:exec|execdir|ok|okdir)$/u;
/** A name or a pattern that every file has. */
const anyName = /^(?:\.\/)?[*.]*$/u;
/** Kinds of files that are few. */
const rareTypes = /^[bcpls,]+$/u;

/** Brackets within brackets beyond this number are not told apart. */
const maxDepth = 20;

/** Whether what an expression finds is narrowed, and whether what it leaves out is. */
interface Narrowed {
  readonly found: boolean;
  readonly rest: boolean;
}

/**
 * Tests whether only some files reach an action of find. A negated test narrows nothing: `! -name a` finds all files but one.
 * @param at place of the action
 */
export function isNarrowedAt(texts: readonly string[], at: number): boolean {
  return new Expression(texts, at).read(0).found;
}

/** Returns the names that files must have. */
export function namesOf(texts: readonly string[]): readonly string[] {
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
  /** What reaches the action is narrowed where one of these is. */
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
      // The action belongs to the last alternative: those before it only leave files out.
      if (this.#isReached || this.#at >= this.#end) return part;
      all = all === null ? part : { found: all.found && part.found, rest: all.rest || part.rest };
      const text = this.#texts[this.#at];
      if (text === "-o" || text === "-or" || text === ",") this.#at += 1;
      else return all;
    }
  }

  /** Reads tests that must all be met. */
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

  /** Reads one test; null for a word that tests nothing. */
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
    if (valued.test(text)) this.#at += 1;
    if (text === "-type") return rareTypes.test(value) ? { found: true, rest: false } : null;
    if (!narrowing.test(text)) return null;
    const isAny = /^-(?:i?name|i?path|i?regex|i?wholename)$/u.test(text) && anyName.test(value);
    return { found: !isAny, rest: false };
  }
}
