import { cleanText } from "../../base/text.ts";
import { linesHash, linesOf, textHash, type DeliveredText, type Lines } from "./delivered-text.ts";
import { isOfSameAgent } from "./own-context.ts";
import { longestCall, type TextRecord } from "./waste-state.ts";

/** A shorter text costs little more than the words that would stand in its place. Characters. */
export const leastText = 1000;

/** Tests whether a text is in a context for sure, by the hooks alone. */
export function isSure(text: TextRecord, chain: string): boolean {
  return !text.isDoubtful && text.chain === chain;
}

/** Finds the texts of an agent that are the same as one that was delivered just now, the newest first. */
export function sameTexts(
  texts: readonly TextRecord[],
  chain: string,
  { file, lines, text }: DeliveredText,
): TextRecord[] {
  const hash = textHash(text);
  const isSame = (each: TextRecord) =>
    mayStand(each, chain) &&
    each.file === file &&
    each.hash === hash &&
    each.first === (lines?.first ?? null) &&
    each.last === (lines?.last ?? null);
  return texts.filter(isSame).reverse();
}

/** Finds the texts of an agent with all lines of one that was delivered just now, by their numbers alone, the newest first. */
export function aroundTexts(
  texts: readonly TextRecord[],
  chain: string,
  delivered: DeliveredText,
): TextRecord[] {
  const { lines, file } = delivered;
  if (lines === null) return [];
  const contains = ({ first, last }: TextRecord) =>
    first !== null && last !== null && first <= lines.first && last >= lines.last;
  return texts.filter((each) => mayStand(each, chain) && each.file === file && contains(each)).reverse();
}

/** Tests whether a text may be in a context. One that was asked for again in full, before the user's last prompt, counts as gone. */
function mayStand(text: TextRecord, chain: string): boolean {
  if (isSure(text, chain)) return true;
  return isOfSameAgent(text.chain, chain) && text.call !== null && text.named !== "insisted";
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
  { chain, tool, call }: Pick<TextRecord, "chain" | "tool"> & { readonly call: string | undefined },
): TextRecord {
  return {
    chain,
    call: call === undefined || call.length > longestCall ? null : call,
    isDoubtful: false,
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
    `[Context Purser (unchanged-read): not a line of the file. ${part} of ${cleanText(file)} is left out here: it is the same as in the ` +
    `output of your earlier ${tool} call, which still stands above and is up to date. Repeat this call to get it once more in full.]`
  );
}
