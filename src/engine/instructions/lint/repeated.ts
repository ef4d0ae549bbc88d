import { linesOf, lineRoles } from "../markdown-section.ts";
import { roledLines, type RoledLine } from "./changing.ts";
import { wholeLines, type LintFinding } from "./found-text.ts";
import { sentence, type Sentence } from "../../base/language.ts";

/** Another file that the same sessions get. */
export interface OtherInstructions {
  /** As shown to a person. */
  readonly name: Sentence;
  readonly text: string;
}

/** Shorter paragraphs may well be the same by chance; of one file, where steps are repeated on purpose. Characters, without marks. */
const minLength = { ofOthers: 60, ofItself: 200 };

interface Paragraph {
  /** In lower case, without marks and with single spaces. */
  readonly words: string;
  readonly start: number;
  /** The line after the last. */
  readonly end: number;
}

/** Finds paragraphs and list items that stand in a file twice, or in another one that the same sessions get. */
export function repeatedTexts(
  text: string,
  lines: readonly RoledLine[],
  others: readonly OtherInstructions[],
): LintFinding[] {
  const known = new Map<string, { readonly name: Sentence | null; readonly line: number }>();
  for (const other of others)
    for (const { words, start } of paragraphsOf(rolesOf(other.text)))
      if (!known.has(words)) known.set(words, { name: other.name, line: start });
  const raw = linesOf(text);
  const found: LintFinding[] = [];
  for (const { words, start, end } of paragraphsOf(lines)) {
    const before = known.get(words);
    if (before === undefined) {
      if (words.length >= minLength.ofItself) known.set(words, { name: null, line: start });
      continue;
    }
    const place =
      before.name === null
        ? sentence("line {0}", before.line + 1)
        : sentence("{name}, line {line}", { name: before.name, line: before.line + 1 });
    const span = wholeLines(start, end);
    found.push({
      kind: "repeated",
      span: { ...span, endLine: end - 1, endColumn: lines[end - 1]?.text.length ?? 0 },
      message: sentence("This is said in {place}, too: sessions get it twice.", { place: place }),
      remedy: sentence("Keep one of them."),
      text: raw.slice(start, end).join(""),
      fix: {
        title: sentence("Remove It Here, It Is in {place}", { place: before.name ?? place }),
        span,
        text: "",
      },
    });
  }
  return found;
}

function rolesOf(text: string): RoledLine[] {
  const lines = linesOf(text);
  return roledLines(lines, lineRoles(lines));
}

const item = /^\s*(?:[-*+]|\d{1,4}[.)])\s/u;

/** Paragraphs of text; each item of a list is one. */
function paragraphsOf(lines: readonly RoledLine[]): Paragraph[] {
  const found: Paragraph[] = [];
  let start: number | null = null;
  const end = (line: number): void => {
    if (start === null) return;
    const words = lines
      .slice(start, line)
      .map(({ text }) => text)
      .join(" ")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    if (words.length >= minLength.ofOthers) found.push({ words, start, end: line });
    start = null;
  };
  for (const [index, { text, role }] of lines.entries()) {
    const isText = role === "text" && text.trim() !== "";
    if (!isText || item.test(text)) end(index);
    if (isText) start ??= index;
  }
  end(lines.length);
  return found;
}
