/** Reads regular expressions of RE2 without compiling them. Functions leave what they do not understand. */

/** Returns the index of the bracket that closes a class of characters. The class may begin with that bracket. */
function endOfClass(pattern: string, begin: number): number {
  const first = pattern[begin + 1] === "^" ? begin + 2 : begin + 1;
  for (let at = first; at < pattern.length; at += 1) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern.startsWith("[:", at)) {
      const end = pattern.indexOf(":]", at);
      at = end === -1 ? pattern.length : end + 1;
    } else if (pattern[at] === "]" && at > first) return at;
  }
  return pattern.length;
}

/** Splits a pattern into escapes, classes, openings of groups, and single characters. */
function tokensOf(pattern: string): readonly string[] {
  const tokens: string[] = [];
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at];
    const end =
      char === "\\" ? at + 2 : char === "[" ? endOfClass(pattern, at) + 1 : at + lengthOfOpening(pattern, at);
    tokens.push(pattern.slice(at, end));
    at = end;
  }
  return tokens;
}

/** Returns the length of the opening of a group, or of a flag such as `(?i)`. It is 1 for any other character. */
function lengthOfOpening(pattern: string, at: number): number {
  if (!pattern.startsWith("(?", at)) return 1;
  return /^\(\?(?:P?<\w*>|[a-zA-Z-]*[:)])/u.exec(pattern.slice(at, at + 80))?.[0].length ?? 2;
}

const isGroup = (token: string): boolean => token === "(" || token === "(?:";

/** Tests whether a token changes the meaning of the tokens after it, or names what they match. */
const isSpecial = (token: string): boolean =>
  token === "\\Q" || (token.length > 1 && token.startsWith("(") && !isGroup(token));

/** Returns alternatives: a text matches one of them if, and only if, it matches the whole pattern. */
export function alternativesOf(pattern: string): readonly string[] {
  const tokens = tokensOf(pattern);
  return tokens.some(isSpecial) ? [pattern] : splitTokens(tokens);
}

function splitTokens(tokens: readonly string[]): readonly string[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isGroup(token)) depth += 1;
    else if (token === ")") depth -= 1;
    if (token === "|" && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  if (parts.length > 1) return parts.map((part) => part.join(""));
  const start = tokens[0] === "^" ? 1 : 0;
  if (!isOneGroup(tokens.slice(start))) return [tokens.join("")];
  const inner = splitTokens(tokens.slice(start + 1, -1));
  return start === 0 ? inner : inner.map((each) => `^(?:${each})`);
}

/** Tests whether the first token opens a group that the last one closes. */
function isOneGroup(tokens: readonly string[]): boolean {
  if (tokens[0] !== "(?:") return false;
  let depth = 0;
  const end = tokens.findIndex((token) => {
    if (isGroup(token)) depth += 1;
    else if (token === ")") depth -= 1;
    return depth === 0;
  });
  return end === tokens.length - 1;
}

/** Returns the only text that a pattern matches; null if it may match others. */
export function literalOf(pattern: string): string | null {
  let text = "";
  for (const token of tokensOf(pattern)) {
    if (/^[^\\.^$*+?()[\]{}|]$/u.test(token)) text += token;
    else if (/^\\[^\w\s]$/u.test(token)) text += token.slice(1);
    else return null;
  }
  return text;
}

/**
 * Returns a pattern that matches the lower case of a text if, and only if, the given pattern matches the text regardless of case.
 * Returns null if that is not easily made. Such a pattern takes half the memory of one that tests both cases.
 */
export function inLowerCase(pattern: string): string | null {
  if (/[^\0-\x7f]/u.test(pattern)) return null;
  let lower = "";
  for (const token of tokensOf(pattern)) {
    if (isSpecial(token)) return null;
    if (token.startsWith("\\")) {
      if (!isSameInLowerCase(token)) return null;
      lower += token;
    } else if (token.length > 1 && token.startsWith("[")) {
      const inner = classInLowerCase(token);
      if (inner === null) return null;
      lower += inner;
    } else lower += token.toLowerCase();
  }
  return lower;
}

/** Tests whether an escape covers both cases of each letter: `\d`, `\S`, a sign, but not `\x41` or `\pL`. */
const isSameInLowerCase = (escape: string): boolean => /^\\(?:[dDsSwWbBAzntrfv]|[^\w\s])$/u.test(escape);

/** Ranges whose ends are of one kind keep their meaning in lower case. */
const evenRange = /^(?:[0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z])$/u;

function classInLowerCase(token: string): string | null {
  if (token.includes("[:")) return null;
  const inner = token.slice(1, -1).replaceAll(/\\[^]|.-[^]|[^]/gu, (part) => {
    if (part.startsWith("\\")) return isSameInLowerCase(part) ? part : "\0";
    return part.length < 3 || evenRange.test(part) ? part.toLowerCase() : "\0";
  });
  return inner.includes("\0") ? null : `[${inner}]`;
}

/** Returns a text of the same length in lower case. Like RE2, it takes U+017F for an s and U+212A for a k. */
export function foldCase(text: string): string {
  if (!/[^\0-\x7f]/u.test(text)) return text.toLowerCase();
  return text.replaceAll(/[A-Z\u017f\u212a]+/gu, (run) => run.toUpperCase().toLowerCase());
}

/** Shorter texts occur too often. Characters. */
const minLength = 3;
/** Searching for more takes too long. */
const maxTexts = 24;

/**
 * Returns texts in lower case; each match of a linear regular expression contains one of them. Returns null if it requires none.
 * Searching for them is much faster than testing the pattern.
 */
export function requiredTexts(pattern: string): readonly string[] | null {
  return new Pattern(pattern).read();
}

/** Every match contains one of these texts. */
type Choice = readonly string[] | null;

/** Reads a regular expression of RE2 from its beginning to its end. */
class Pattern {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): Choice {
    // `\Q…\E`, `\x41` and `\pL` continue after their letter.
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
    // `(?i)` is a flag, not a group.
    const inner = this.#alternatives();
    if (this.#pattern[this.#at] === ")") this.#at += 1;
    return inner;
  }

  /** Returns the only character that may be here; null if there may be others. */
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
    // A part that is repeated counts as one that may be missing.
    return true;
  }
}

/** Returns the length of the shortest text: the longer it is, the rarer it is. */
function weightOf(choice: Choice): number {
  return choice === null ? 0 : Math.min(...choice.map((text) => text.length));
}
