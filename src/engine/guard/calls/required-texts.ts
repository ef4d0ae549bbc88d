import { endOfClass } from "./pattern-parts.ts";

/** Minimum length: shorter texts occur too often. Characters. */
const minLength = 3;
/** Maximum texts: searching for more takes too long. */
const maxTexts = 24;

/**
 * Returns texts in lower case. Each match of the linear regular expression contains one of them. Returns null if it requires none.
 * A search for them is much faster than a test of the pattern.
 */
export function requiredTexts(pattern: string): readonly string[] | null {
  return new Pattern(pattern).read();
}

/** Texts of which one must be there. */
type Choice = readonly string[] | null;

/** Reads a regular expression of RE2 from its beginning to its end. */
class Pattern {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): Choice {
    // `\Q…\E`, `\x41` and `\pL` go on behind their letter.
    return /\\[QxpP0-7]|\(\?[a-zA-Z-]*x[:)]/u.test(this.#pattern) ? null : this.#alternatives();
  }

  #alternatives(): Choice {
    const all = [this.#sequence()];
    while (this.#pattern[this.#at] === "|") {
      this.#at += 1;
      all.push(this.#sequence());
    }
    const texts = all.every((each) => each !== null) ? all.flat() : null;
    return texts === null || texts.length > maxTexts ? null : texts;
  }

  /** Returns the best choice of the parts that follow each other. */
  #sequence(): Choice {
    let best: Choice = null;
    let run = "";
    const offer = (choice: Choice): void => {
      if (weightOf(choice) > weightOf(best)) best = choice;
    };
    const endRun = (): void => {
      if (run.length >= minLength) offer([run]);
      run = "";
    };
    for (; this.#at < this.#pattern.length;) {
      const char = this.#pattern[this.#at] ?? "";
      if (char === "|" || char === ")") break;
      if (char === "(") {
        endRun();
        const inner = this.#group();
        if (!this.#isOptional()) offer(inner);
        continue;
      }
      const literal = this.#literal(char);
      const isOptional = this.#isOptional();
      if (literal === null || isOptional) endRun();
      else {
        run += literal;
        if (this.#pattern[this.#at] === "+") endRun();
      }
    }
    endRun();
    return best;
  }

  #group(): Choice {
    const begin =
      /^\((?:\?P?<[^>]*>|\?[a-zA-Z-]*:?)?/u.exec(this.#pattern.slice(this.#at, this.#at + 80))?.[0] ?? "(";
    this.#at += begin.length;
    // `(?i)` is a flag without a group's inside.
    const inner = this.#alternatives();
    if (this.#pattern[this.#at] === ")") this.#at += 1;
    return inner;
  }

  /** Returns the character that must stand here; null where it may be another. */
  #literal(char: string): string | null {
    this.#at += 1;
    if (char === "[") {
      this.#at = endOfClass(this.#pattern, this.#at - 1) + 1;
      return null;
    }
    if (char === "\\") {
      const escaped = this.#pattern[this.#at] ?? "";
      this.#at += 1;
      return /[\w\s]/u.test(escaped) || escaped === "" ? null : escaped;
    }
    return ".^$+*?{}".includes(char) || char.charCodeAt(0) >= 128 ? null : char.toLowerCase();
  }

  /** Skips a quantifier; returns whether the part before it may be missing. */
  #isOptional(): boolean {
    const times = /^(?:[*?]|\{[\d,]*\})/u.exec(this.#pattern.slice(this.#at, this.#at + 12))?.[0];
    if (times === undefined) return false;
    this.#at += times.length;
    if (this.#pattern[this.#at] === "?") this.#at += 1;
    // A part that is there several times is counted as one that may be missing.
    return true;
  }
}

/** Returns how much less often texts hold one of a choice: the length of its shortest. */
function weightOf(choice: Choice): number {
  return choice === null ? 0 : Math.min(...choice.map((text) => text.length));
}
