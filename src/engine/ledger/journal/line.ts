import { crc32 } from "node:zlib";
import * as z from "zod/mini";
import { parseJson } from "../../base/parse.ts";
import { type LedgerEntry, ledgerEntry } from "../entries/entries-entry.ts";
import { isPlainEntry } from "../entries/plain.ts";

/**
 * A line of the journal is a JSON object that begins with the CRC-32 of the rest of the line, in hex: a torn or flipped
 * byte is found without trusting anything in the line. The first line of a segment is its header.
 */

/** The entry numbers a segment may hold. */
export interface SegmentHeader {
  /** The format of the journal, and of the entries in it. */
  readonly journal: number;
  /** The last number acknowledged when the segment was made: entries missing up to it are lost. */
  readonly after: number;
  /** The first number that may be in it. Numbers between the two were given up, never acknowledged. */
  readonly first: number;
}

export interface JournalEntry {
  readonly number: number;
  readonly entry: LedgerEntry;
}

/** The current format. A reader that knows only older ones must not write. */
export const journalFormat = 1;

const headerLine = z.object({ journal: z.int(), after: z.int(), first: z.int() });
const numberedLine = z.object({ number: z.int(), entry: z.unknown() });

const [opening, closing] = [`{"crc":"`, `",`];
const unsealed = `${opening}00000000${closing}`;
const digits = Buffer.from("0123456789abcdef");
const bodyStart = opening.length + 8 + closing.length;

export function encodeHeader(header: SegmentHeader): string {
  return sealed(JSON.stringify(header));
}

/** @param object JSON text of an object; the checksum replaces its opening brace */
function sealed(object: string): string {
  const body = object.slice(1);
  return `${opening}${checksum(body)}${closing}${body}\n`;
}

/** Maximum bytes of a UTF-16 code unit in UTF-8. */
const widest = 3;

/** Initial room for lines. Bytes. */
const usualRoom = 64 * 1024;

/**
 * Writes lines into one buffer: there may be ten thousand, and separate lines would each cost several strings and
 * copies. Consecutive writes share it, until a small one shows that a burst is over.
 */
export class LineWriter {
  #buffer = Buffer.allocUnsafeSlow(usualRoom);
  #length = 0;

  /** Begins another write: the bytes of the previous one are no longer needed. */
  restart(): void {
    if (this.#length < usualRoom && this.#buffer.length > usualRoom)
      this.#buffer = Buffer.allocUnsafeSlow(usualRoom);
    this.#length = 0;
  }

  add({ number, entry }: JournalEntry): void {
    const line = `${unsealed}"number":${number},"entry":${JSON.stringify(entry)}}\n`;
    this.#makeRoom(line.length * widest);
    const buffer = this.#buffer;
    const start = this.#length;
    const end = start + buffer.write(line, start);
    // Without its newline.
    let sum = crc32(buffer.subarray(start + bodyStart, end - 1));
    for (let digit = start + opening.length + 7; digit >= start + opening.length; digit -= 1) {
      buffer[digit] = digits[sum & 15] ?? 0;
      sum >>>= 4;
    }
    this.#length = end;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #makeRoom(length: number): void {
    if (this.#length + length <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#length + length, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** A decoded line. `known` has a number that the caller wants skipped; `unreadable` is intact, but this version of purser does not understand it. */
export type JournalLine =
  | { readonly kind: "header"; readonly header: SegmentHeader }
  | { readonly kind: "entry"; readonly number: number; readonly entry: LedgerEntry }
  | { readonly kind: "known" }
  | { readonly kind: "unreadable"; readonly number: number }
  | { readonly kind: "damaged" };

/** Start of the body of every entry line, as `LineWriter` writes it. */
const numberFirst = /^"number":(\d{1,16}),"entry":/u;
const maxNumberedLength = 40;

/**
 * @param line without its newline
 * @param known the caller does not need the contents of entries up to this number: they are only checked for damage
 */
export function decodeLine(line: Buffer, known: number): JournalLine {
  const body = line.subarray(bodyStart);
  const seal = line.toString("latin1", 0, bodyStart);
  if (seal !== `${opening}${checksum(body)}${closing}`) return { kind: "damaged" };
  const [, digits] = numberFirst.exec(body.toString("latin1", 0, maxNumberedLength)) ?? [];
  if (digits !== undefined && Number(digits) <= known) return { kind: "known" };
  const value = parseJson(`{${body.toString("utf8")}`);
  // A schema mismatch costs much more than a match.
  const header = digits === undefined ? headerLine.safeParse(value).data : undefined;
  if (header !== undefined) return { kind: "header", header };
  const whole = numberedLine.safeParse(value);
  if (!whole.success) return { kind: "damaged" };
  const { number } = whole.data;
  if (isPlainEntry(whole.data.entry)) return { kind: "entry", number, entry: whole.data.entry };
  const entry = ledgerEntry.safeParse(whole.data.entry);
  return entry.success ? { kind: "entry", number, entry: entry.data } : { kind: "unreadable", number };
}

function checksum(text: string | Buffer): string {
  return crc32(text).toString(16).padStart(8, "0");
}
