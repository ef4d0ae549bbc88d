import { sentence, plainSentence, type Sentence } from "../../base/language.ts";
import { RE2JS } from "re2js";
import { LinearPattern } from "./linear-pattern.ts";

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

/** Steps of the program of a pattern: each character of a text may need all of them. The largest of purser's own has 486. */
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
