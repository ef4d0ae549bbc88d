/** Reads regular expressions of RE2 without compiling them. What a function does not understand, it leaves as it is. */

/** Returns the index of the bracket that closes a class of characters. The class may begin with that bracket. */
export function endOfClass(pattern: string, begin: number): number {
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

/** Tests whether a token gives the tokens after it another meaning, or a name to what they match. */
const isSpecial = (token: string): boolean =>
  token === "\\Q" || (token.length > 1 && token.startsWith("(") && !isGroup(token));

/** Returns patterns of which a text matches one if, and only if, it matches the whole pattern. */
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
 * Returns a pattern that matches a text in lower case if, and only if, the given pattern matches the text regardless of case.
 * Returns null if there is none that is made so easily. Such a pattern takes half the memory of one that tests both cases.
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

/** Tests whether an escape stands for both cases of each letter: `\d`, `\S`, a sign, but not `\x41` or `\pL`. */
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

/** Returns a text in lower case, with the same length. As RE2 does, it takes U+017F for an s and U+212A for a k. */
export function foldCase(text: string): string {
  if (!/[^\0-\x7f]/u.test(text)) return text.toLowerCase();
  return text.replaceAll(/[A-Z\u017f\u212a]+/gu, (run) => run.toUpperCase().toLowerCase());
}
