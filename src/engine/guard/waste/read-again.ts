import { cleanText } from "../../base/text.ts";
import { linesHash, linesOf, textHash, type DeliveredText, type Lines } from "./delivered-text.ts";
import { isOfSameAgent, maxCallLength, type TextRecord } from "./waste-state.ts";

/** Minimum length of a text that is replaced: a pointer costs almost as much as a shorter one. Characters. */
export const minText = 1000;

/** Tests whether a text certainly is in a context, by the hooks alone. */
export function isSure(text: TextRecord, chain: string): boolean {
  return !text.isDoubtful && text.chain === chain;
}

/** Returns an agent's texts that equal a delivered one, the newest first. */
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

/** Returns an agent's texts with all lines of a delivered one, by line numbers alone, the newest first. */
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

/** Tests whether a text may be in a context. A text requested in full before the user's last prompt counts as gone. */
function mayStand(text: TextRecord, chain: string): boolean {
  if (isSure(text, chain)) return true;
  return isOfSameAgent(text.chain, chain) && text.call !== null && text.named !== "insisted";
}

/** Tests by the current file that a text's lines are unchanged and contain the delivered ones. */
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

/** Returns the record of a delivered text. */
export function recordOf(
  { file, lines, text }: DeliveredText,
  { chain, tool, call }: Pick<TextRecord, "chain" | "tool"> & { readonly call: string | undefined },
): TextRecord {
  return {
    chain,
    call: call === undefined || call.length > maxCallLength ? null : call,
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

/** Returns the pointer that replaces a text which the agent already has. */
export function pointerTo({ lines, file }: DeliveredText, { tool }: TextRecord): string {
  const part =
    lines === null ? "The text that was asked for" : `The text of lines ${lines.first}-${lines.last}`;
  return (
    `[Context Purser (unchanged-read): not a line of the file. ${part} of ${cleanText(file)} is left out here: it is the same as in the ` +
    `output of your earlier ${tool} call, which still stands above and is up to date. Repeat this call to get it once more in full.]`
  );
}
