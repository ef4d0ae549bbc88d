import { adjoinedKeys } from "../../base/text/scrub.ts";

/** Bytes looked at together, and how many of them again with the next: more than a key has. */
const [together, again] = [1 << 20, 1 << 12];
/** The most bytes between two parts of one text: the number of a page of SQLite, and what is around it. */
const longestGap = 8;
const star = 0x2a;

/**
 * Overwrites keys in a file that cannot be read as what it is: texts adjoin each other in it, so that a key does not begin or
 * end with a word, and a text goes on in another page.
 */
export function withoutAdjoined(bytes: Buffer): Buffer {
  const blanked = Buffer.from(bytes);
  for (let from = 0; from < bytes.length; from += together - again)
    blankKeys(bytes.subarray(from, from + together), blanked.subarray(from, from + together));
  return blanked;
}

function blankKeys(bytes: Buffer, blanked: Buffer): void {
  const places = new Int32Array(bytes.length);
  const printed = Buffer.alloc(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    const next = gapEnd(bytes, at);
    // A longer gap ends a text.
    const isEnd = next - at > longestGap;
    if (next === at || isEnd) {
      printed[count] = isEnd ? 0x0a : (bytes[at] ?? 0);
      places[count] = at;
      count += 1;
    }
    at = Math.max(next, at + Number(next === at));
  }
  for (const { from, to } of adjoinedKeys(printed.toString("latin1", 0, count)))
    for (let index = from; index < to; index += 1) blanked[places[index] ?? 0] = star;
}

/** The end of what is no text here: bytes that are not printed, and a page's number, of which the first two are zero. */
function gapEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    if (bytes[at] === 0 && bytes[at + 1] === 0 && at + 4 <= bytes.length) at += 4;
    else if (at < bytes.length && !isPrinted(bytes[at] ?? 0)) at += 1;
    else return at;
  }
}

function isPrinted(byte: number): boolean {
  return byte === 0x09 || (byte >= 0x20 && byte <= 0x7e) || byte >= 0x80;
}
