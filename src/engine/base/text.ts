export {
  asSentence,
  cleanLines,
  cleanText,
  cutEnd,
  cutMiddle,
  foreignProjectName,
  shorten,
  withFullStop,
} from "./text/text.ts";
export { csvField, inMarkdown } from "./text/in-formats.ts";
export { printedJson } from "./text/printed-json.ts";
export { diffHunks, lineDiff } from "./text/line-diff.ts";

/** Replaces the bearer tokens of purser's service, which must not show on screens and in logs. @param shown the replacement */
export function maskBearer(text: string, shown: string): string {
  return text.replaceAll(/Bearer [\w-]{16,}/gu, `Bearer (${shown})`);
}

/**
 * Encloses a text that may run from right to left in an isolate (U+2068 … U+2069), so that it does not
 * reorder the text beside it in a row. Any other text is returned as it is. Cleaned text contains no marks
 * that could end the isolate.
 */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** The blocks of Unicode with letters that run from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns an expression for texts that have parts in their order, with anything between them: one star stands
 * between two parts. A part is found at its first place for good, so that a test takes linear time.
 * @param parts sources of expressions, without groups that capture
 */
export function starPattern(parts: readonly string[]): RegExp {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return new RegExp(`^${first}$`, "u");
  const between = rest.map((part, index) => `(?=(.*?${part}))\\${index + 1}`).join("");
  return new RegExp(`^${first}${between}.*${last}$`, "u");
}

/**
 * Returns a text without elements such as `<reminder>…</reminder>`. A mark without an end stays, and ends of its
 * name are not looked for again.
 * @param opening an expression for the marks that open them, with the name as its first group
 */
export function withoutElements(text: string, opening: RegExp): string {
  const unclosed = new Set<string>();
  let rest = "";
  let end = 0;
  for (const { index, 0: mark, 1: name = "" } of text.matchAll(opening)) {
    if (index < end || unclosed.has(name)) continue;
    const closing = `</${name}>`;
    const at = text.indexOf(closing, index + mark.length);
    if (at === -1) {
      unclosed.add(name);
      continue;
    }
    rest += text.slice(end, index);
    end = at + closing.length;
  }
  return rest + text.slice(end);
}

/** Names that are much longer are not compared. Characters. */
const maxComparedLength = 120;
/** Maximum suggestions: several names may be equally near. */
const maxSuggestions = 3;

/**
 * Returns the number of letters that one has to add, leave out, change or exchange with their neighbour to make one word of another; more
 * than the limit where it is more.
 */
function editDistance(one: string, other: string, limit: number): number {
  const tooFar = limit + 1;
  if (Math.abs(one.length - other.length) > limit) return tooFar;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    let least = at;
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      let cost = Math.min(
        (last[to] ?? tooFar) + 1,
        (row[to - 1] ?? tooFar) + 1,
        (last[to - 1] ?? tooFar) + (isSame ? 0 : 1),
      );
      if (at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1])
        cost = Math.min(cost, (before[to - 2] ?? tooFar) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > limit) return tooFar;
    [before, last] = [last, row];
  }
  return last[other.length] ?? tooFar;
}

/** Returns the candidates nearest to a misspelled name, nearest first; an empty list if no candidate is similar enough. */
export function nearestOf(name: string, candidates: Iterable<string>, most = maxSuggestions): string[] {
  const own = comparable(name);
  if (own.length > maxComparedLength) return [];
  const limit = own.length < 3 ? 1 : Math.min(3, Math.ceil(own.length / 3));
  const words = wordsOf(own);
  const found: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate === name || candidate.length > maxComparedLength) continue;
    const other = comparable(candidate);
    const distance = editDistance(own, other, limit);
    if (distance <= limit && distance < own.length) found.push({ candidate, distance });
    else if (isPart(own, other) || isPart(other, own)) found.push({ candidate, distance: limit + 1 });
    else if (words !== "" && wordsOf(other) === words) found.push({ candidate, distance: 1 });
  }
  const sorted = found.toSorted(
    (one, other) => one.distance - other.distance || one.candidate.length - other.candidate.length,
  );
  const least = sorted[0]?.distance ?? 0;
  return sorted
    .filter(({ distance }) => distance <= least + 1)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

function comparable(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** Minimum length of a name's part: shorter parts do not distinguish names. Characters. */
const minPartLength = 3;

function isPart(part: string, whole: string): boolean {
  return part.length >= minPartLength && part.length * 3 >= whole.length && whole.includes(part);
}

/** The same for names that differ only in the order of words or in separators. Empty for a single word. */
function wordsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words.length < 2 ? "" : words.toSorted().join(" ");
}
