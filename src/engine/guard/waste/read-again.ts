import { linesHash, linesOf, textHash, type DeliveredText, type Lines } from "./delivered-text.ts";
import type { TextRecord, WasteState } from "./state.ts";

/** A shorter text costs little more than the words that would stand in its place. Characters. */
export const leastText = 1000;

/** Finds the text in the context that is the same as one that was delivered just now; null where none certainly is. */
export function sameText(
  { texts }: WasteState,
  chain: string,
  { file, lines, text }: DeliveredText,
): TextRecord | null {
  const hash = textHash(text);
  const isSame = (each: TextRecord) =>
    each.chain === chain &&
    each.file === file &&
    each.hash === hash &&
    each.first === (lines?.first ?? null) &&
    each.last === (lines?.last ?? null);
  return texts.findLast(isSame) ?? null;
}

/** Finds the texts in the context with all lines of one that was delivered just now, by their numbers alone. */
export function aroundText({ texts }: WasteState, chain: string, delivered: DeliveredText): TextRecord[] {
  const { lines, file } = delivered;
  if (lines === null) return [];
  const contains = ({ first, last }: TextRecord) =>
    first !== null && last !== null && first <= lines.first && last >= lines.last;
  return texts.filter((each) => each.chain === chain && each.file === file && contains(each));
}

/** Tests, by the file as it is now, that none of a text's lines has changed, and that the delivered ones are among them. */
export function isUnchanged(
  { first, last, linesHash: hash }: TextRecord,
  delivered: DeliveredText,
  fileNow: string,
): boolean {
  const { lines } = delivered;
  if (first === null || last === null || lines === null) return false;
  const now = linesOf(fileNow);
  const between = (range: Lines) => now.slice(range.first - 1, range.last).join("\n");
  return (
    last <= now.length + 1 &&
    linesHash(between({ first, last })) === hash &&
    between(lines) === linesOf(delivered.text).join("\n")
  );
}

/** Returns the record of a text that has just come into a context. */
export function recordOf(
  { file, lines, text }: DeliveredText,
  { chain, tool }: Pick<TextRecord, "chain" | "tool">,
): TextRecord {
  return {
    chain,
    file,
    first: lines?.first ?? null,
    last: lines?.last ?? null,
    hash: textHash(text),
    linesHash: linesHash(text),
    tool: tool.slice(0, 100),
    named: "never",
  };
}

/** Returns the words that stand in the place of a text that the agent has. */
export function inPlaceOf({ lines, file }: DeliveredText, { tool }: TextRecord): string {
  const part =
    lines === null ? "The text that was asked for" : `The text of lines ${lines.first}-${lines.last}`;
  return (
    `[Context Purser (unchanged-read): not a line of the file. ${part} of ${file} is left out here: it is the same as in the ` +
    `output of your earlier ${tool} call, which still stands above and is up to date. Repeat this call to get it once more in full.]`
  );
}
