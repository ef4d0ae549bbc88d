import { fail, succeed, type Result } from "../../base/result.ts";
import { sentence } from "../../base/language.ts";

/** First line of the block: the header of a compiled memory (`memory-text.ts`). A byte order mark may precede it. */
const begin = /(?<=^\uFEFF?)<!-- purser v\d{1,9} [0-9a-f]{12}: [^\r\n]*-->\r?$/gmu;
const end = "<!-- end of purser's rules -->";
/** The last line if the file had no line end before the block: taking the block out removes the added one. */
const endAfterAdded = "<!-- end of purser's rules, which begin after an added line end -->";

export interface FileWithBlock {
  /** Text around the block, byte for byte. Without a block, all of it is before. */
  readonly before: string;
  readonly after: string;
  /** The compiled memory in the block, with `\n` as line ends; null without a block. */
  readonly memory: string | null;
}

/** Finds the marked block in a file. Fails for marks that cannot be matched: the file is then left alone. */
export function readBlock(text: string): Result<FileWithBlock, "broken"> {
  const begins = [...text.matchAll(begin)];
  const [first, another] = begins;
  const ends = [...text.matchAll(new RegExp(`^(?:${end}|${endAfterAdded})(?:\\r?\\n|$)`, "gmu"))];
  const [last] = ends;
  if (first === undefined && last === undefined) return succeed({ before: text, after: "", memory: null });
  const isWhole =
    first !== undefined &&
    last !== undefined &&
    another === undefined &&
    ends.length === 1 &&
    first.index < last.index;
  if (!isWhole)
    return fail(
      "broken",
      sentence(
        "the marks around purser's rules are not whole; remove them and the rules between them by hand, then try again",
      ),
    );
  const isAdded = last[0].startsWith(endAfterAdded);
  const before = text.slice(0, first.index);
  return succeed({
    before: isAdded ? before.replace(/\r?\n$/u, "") : before,
    after: text.slice(last.index + last[0].length),
    memory: text.slice(first.index, last.index).replaceAll("\r\n", "\n"),
  });
}

/**
 * Returns the file's text with this memory in its block, or without a block for an empty memory. Everything beside the
 * block stays byte for byte. The block has the file's line ends.
 */
export function withBlock({ before, after }: FileWithBlock, memory: string): string {
  if (memory === "") return before + after;
  const lineEnd = /\r\n/u.test(before + after) ? "\r\n" : "\n";
  const isOpen = before !== "" && before !== "\uFEFF" && !before.endsWith("\n");
  const lines = `${memory}${isOpen ? endAfterAdded : end}\n`.replaceAll("\n", lineEnd);
  return before + (isOpen ? lineEnd : "") + lines + after;
}
