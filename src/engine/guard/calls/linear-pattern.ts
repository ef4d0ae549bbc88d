import { RE2JS } from "re2js";
import type { Effort } from "../effort.ts";
import { alternativesOf, foldCase, inLowerCase, literalOf } from "./pattern-parts.ts";
import { requiredTexts } from "./required-texts.ts";

/** Instructions of a program that run in the time of one step of other work. */
const instructionsPerStep = 400;
/** Characters of a text that a small program passes in the time of one step. */
const testedPerStep = 8;
/** Characters that a plain search passes in the time of one step. */
const searchedPerStep = 1000;
/** Characters that a plain search could pass in the time that it takes to start. */
const minSearchLength = 100;
/** Steps for each search with a program, in addition to its text. */
const searchSteps = 10;

/** One alternative of a pattern, or several that no required text tells apart. */
interface Part {
  /** Folded texts of which each match contains one; null if there are none. */
  readonly required: readonly string[] | null;
  readonly source: string;
  readonly flags: number;
  /** It tests the text after its case is folded. */
  readonly isFolded: boolean;
  /** Compiled when it is first needed. */
  program: RE2JS | null;
}

interface Tested {
  readonly text: string;
  /** The text after its case is folded, if that is known. */
  readonly folded: string | undefined;
  readonly isWhole: boolean;
}

/** Programs by flags and source: patterns share those of equal parts. */
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
 * A regular expression that takes linear time. Each of its alternatives is compiled when a text first contains what the alternative
 * requires. That takes a third less memory than compiling the whole: few alternatives are needed, and small automata have small tables.
 */
export class LinearPattern {
  /** Texts that are alternatives by themselves. Folded if case does not count. */
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
   * @param folded the text after its case is folded, if that is known
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
    const isGranted = (steps: number): boolean => effort?.take(Math.floor(steps)) !== false;
    let known = tested.folded;
    const folded = (): string => (known ??= foldCase(text));
    if (this.#literals.length > 0) {
      if (!isGranted(searchingSteps(text, this.#literals))) return null;
      const own = this.#ignoresCase ? folded() : text;
      if (isWhole ? this.#literals.includes(own) : this.#literals.some((each) => own.includes(each)))
        return true;
    }
    for (const part of this.#parts) {
      const { required, isFolded } = part;
      // An automaton that is there tests a whole text faster than a search does.
      if (required !== null && (part.program === null || !isWhole)) {
        if (!isGranted(searchingSteps(text, required))) return null;
        if (!required.some((each) => folded().includes(each))) continue;
      }
      const program = (part.program ??= compile(part.source, part.flags));
      const factor = 1 + Math.floor(program.programSize() / instructionsPerStep);
      if (!isGranted((isWhole ? 0 : searchSteps) + Math.ceil((text.length * factor) / testedPerStep)))
        return null;
      const own = isFolded ? folded() : text;
      if (isWhole ? program.testExact(own) : program.test(own)) return true;
    }
    return false;
  }
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

/** Joins the parts that are tested on every text, so that they take one test. */
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
