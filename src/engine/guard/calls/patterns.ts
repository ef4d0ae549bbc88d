import { RE2JS } from "re2js";
import { sentence, plainSentence, type Sentence } from "../../base/language.ts";
import type { Effort } from "../effort.ts";
import { alternativesOf, foldCase, inLowerCase, literalOf, requiredTexts } from "./pattern-parts.ts";

/** Instructions of a program that run in one step. */
const instructionsPerStep = 400;
/** Characters of a text that a small program tests in one step. */
const testedPerStep = 8;
/** Characters that a plain search passes in one step. */
const searchedPerStep = 1000;
/** A search takes at least as long as one through this many characters. */
const minSearchLength = 100;
/** Steps for each search, in addition to those for the text. */
const searchSteps = 10;

/** One alternative of a pattern, or all of those without required texts. */
interface Part {
  /** Each match contains one of these folded texts; null if there are none. */
  readonly required: readonly string[] | null;
  readonly source: string;
  readonly flags: number;
  /** Whether it tests the folded text. */
  readonly isFolded: boolean;
  /** Compiled when it is first needed. */
  program: RE2JS | null;
}

interface Tested {
  readonly text: string;
  /** The text in folded case, if known. */
  readonly folded: string | undefined;
  readonly isWhole: boolean;
}

/** Programs by flags and source, shared by patterns with equal parts. */
const programs = new Map<number, Map<string, RE2JS>>();

function compile(source: string, flags: number): RE2JS {
  const ofFlags = programs.get(flags) ?? new Map<string, RE2JS>();
  programs.set(flags, ofFlags);
  const known = ofFlags.get(source);
  if (known !== undefined) return known;
  const made = RE2JS.compile(source, flags);
  ofFlags.set(source, made);
  return made;
}

/**
 * A linear regular expression. Each of its alternatives is compiled when a text first contains what it requires. That takes
 * a third less memory than compiling the whole: few alternatives are needed, and small automata have small tables.
 */
export class LinearPattern {
  /** Alternatives that are plain texts. Folded if case does not count. */
  readonly #literals: readonly string[];
  readonly #parts: readonly Part[];
  readonly #ignoresCase: boolean;

  /** @param flags flags of RE2JS */
  constructor(pattern: string, flags: number) {
    const isMarked = pattern.startsWith(caseMark);
    const whole = isMarked ? pattern.slice(caseMark.length) : pattern;
    const allFlags = isMarked ? flags | RE2JS.CASE_INSENSITIVE : flags;
    this.#ignoresCase = (allFlags & RE2JS.CASE_INSENSITIVE) !== 0;
    const literals: string[] = [];
    const parts: Part[] = [];
    for (const source of alternativesOf(whole)) {
      const part = makePart(source, allFlags);
      const literal = this.#ignoresCase && !part.isFolded ? null : literalOf(part.source);
      if (literal === null) parts.push(part);
      else literals.push(literal);
    }
    this.#literals = literals;
    this.#parts = joined(parts);
  }

  /**
   * Tests whether a text contains a match. Returns null if that takes more steps than are left.
   * @param effort null for as many steps as it takes
   * @param folded the text in folded case, if known
   */
  isIn(text: string, effort: Effort | null, folded?: string): boolean | null {
    return this.#test({ text, folded, isWhole: false }, effort);
  }

  /** Likewise, whether the text is a match as a whole. */
  isWhole(text: string, effort: Effort | null): boolean | null {
    return this.#test({ text, folded: undefined, isWhole: true }, effort);
  }

  /** Returns what a named group matches if the whole text is a match; else null. */
  groupOf(text: string, name: string): string | null {
    // A pattern that names a group is not split.
    const [part] = this.#parts;
    const matcher = part === undefined ? null : compile(part.source, part.flags).matcher(text);
    return matcher?.matches() === true ? matcher.group(name) : null;
  }

  #test(tested: Tested, effort: Effort | null): boolean | null {
    const { text, isWhole } = tested;
    let { folded } = tested;
    if (this.#literals.length > 0) {
      if (!isGranted(effort, searchingSteps(text, this.#literals))) return null;
      const own = this.#ignoresCase ? (folded ??= foldCase(text)) : text;
      if (isWhole ? this.#literals.includes(own) : includesOne(own, this.#literals)) return true;
    }
    for (const part of this.#parts) {
      const { required, isFolded } = part;
      // A compiled automaton tests a whole text faster than a search does.
      if (required !== null && (part.program === null || !isWhole)) {
        if (!isGranted(effort, searchingSteps(text, required))) return null;
        if (!includesOne((folded ??= foldCase(text)), required)) continue;
      }
      const program = (part.program ??= compile(part.source, part.flags));
      const factor = 1 + Math.floor(program.programSize() / instructionsPerStep);
      const steps = (isWhole ? 0 : searchSteps) + Math.ceil((text.length * factor) / testedPerStep);
      if (!isGranted(effort, steps)) return null;
      const own = isFolded ? (folded ??= foldCase(text)) : text;
      if (isWhole ? program.testExact(own) : program.test(own)) return true;
    }
    return false;
  }
}

function isGranted(effort: Effort | null, steps: number): boolean {
  return effort === null || effort.take(Math.floor(steps));
}

function includesOne(text: string, searched: readonly string[]): boolean {
  for (const each of searched) if (text.includes(each)) return true;
  return false;
}

function searchingSteps(text: string, searched: readonly string[]): number {
  return 1 + (searched.length * (text.length + minSearchLength)) / searchedPerStep;
}

const caseMark = "(?i)";

function makePart(source: string, flags: number): Part {
  const lower = (flags & RE2JS.CASE_INSENSITIVE) === 0 ? null : inLowerCase(source);
  const required = requiredTexts(source);
  if (lower === null) return { required, source, flags, isFolded: false, program: null };
  return {
    required,
    source: lower,
    flags: flags & ~RE2JS.CASE_INSENSITIVE,
    isFolded: true,
    program: null,
  };
}

/** Joins the parts that are tested on every text, for a single test. */
function joined(parts: readonly Part[]): readonly Part[] {
  const groups = [true, false].map((isFolded) =>
    parts.filter((part) => part.required === null && part.isFolded === isFolded),
  );
  return [
    ...parts.filter(({ required }) => required !== null),
    ...groups.flatMap(([first, ...more]) =>
      first === undefined
        ? []
        : [{ ...first, source: [first, ...more].map(({ source }) => source).join("|") }],
    ),
  ];
}

/** Returns a pattern for whole texts; case counts. */
export const wholly = patternsWith(0);

/** Returns a pattern to search for; case does not count, and `^` and `$` are a line's. */
export const searchFor = patternsWith(RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);

/** Likewise, for the beginning of a line. */
export const atStart = patternsWith(RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE, "^");

/** Returns a pattern to search for; case counts, and `^` and `$` are a line's. */
export const exactly = patternsWith(RE2JS.MULTILINE);

/** Returns a pattern to search for as Python's `re.search` does with `IGNORECASE`. */
export const asPython = patternsWith(RE2JS.CASE_INSENSITIVE);

/** Returns a function that makes each pattern once. */
function patternsWith(flags: number, prefix = ""): (pattern: string) => LinearPattern {
  const known = new Map<string, LinearPattern>();
  return (pattern) => {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    const made = new LinearPattern(prefix === "" ? pattern : `${prefix}(?:${pattern})`, flags);
    known.set(pattern, made);
    return made;
  };
}

/** Each character of a text may need all steps of a program. The largest of purser's own has 486. */
const maxProgramSteps = 1000;

/** Returns why a text is not a linear regular expression, or not a fast one; null if it is both. */
export function whyNoPattern(pattern: string): Sentence | null {
  try {
    const size = RE2JS.compile(pattern).programSize();
    return size > maxProgramSteps
      ? sentence("it has {0} steps; at most {1} are quick enough", size, maxProgramSteps)
      : null;
  } catch (error) {
    return error instanceof Error ? plainSentence(error.message) : plainSentence(String(error));
  }
}
