import { english } from "../../base/text/english.ts";
import { RE2JS } from "re2js";

const compiled = new Map<string, RE2JS>();

/** Returns a linear regular expression for whole texts; case counts. */
export function wholly(pattern: string): RE2JS {
  return compile(pattern, 0);
}

/** Returns a linear regular expression that is searched for; case does not count, and `^` and `$` are a line's. */
export function searchFor(pattern: string): RE2JS {
  return compile(pattern, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
}

/** Returns a linear regular expression that is searched for; case counts. */
export function exactly(pattern: string): RE2JS {
  return compile(pattern, RE2JS.MULTILINE);
}

/** Returns a linear regular expression that is searched for as Python's `re.search` does with `IGNORECASE`. */
export function asPython(pattern: string): RE2JS {
  return compile(pattern, RE2JS.CASE_INSENSITIVE);
}

/** Steps of the program of a pattern: each character of a text may need all of them. The largest of purser's own has 486. */
const largestProgram = 1000;

/** Returns why a text is no linear regular expression that is quick enough; null if it is one. */
export function whyNoPattern(pattern: string): string | null {
  try {
    const size = RE2JS.compile(pattern).programSize();
    return size > largestProgram
      ? english("it has {0} steps; at most {1} are quick enough", size, largestProgram)
      : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Steps of a program that pass in the time of one step of other work. */
const quickSteps = 400;
/** Characters of a text that a small program passes in the time of one step. */
const quickCharacters = 8;

/** Returns the steps that testing a text takes. */
export function testingSteps(pattern: RE2JS, text: string): number {
  return Math.ceil((text.length * (1 + Math.floor(pattern.programSize() / quickSteps))) / quickCharacters);
}

function compile(pattern: string, flags: number): RE2JS {
  const key = `${flags} ${pattern}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const made = RE2JS.compile(pattern, flags);
  compiled.set(key, made);
  return made;
}
