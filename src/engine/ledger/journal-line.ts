import { crc32 } from "node:zlib";
import * as z from "zod";
import { type CheckedEntry, ledgerEntry } from "./entry.ts";

/**
 * A line of the journal is a JSON object that begins with the CRC-32 of the rest of it, in hex: a torn or flipped byte
 * shows without trusting anything the line says. The first line of a segment is its header.
 */

/** Which numbers a segment may hold. */
export interface SegmentHeader {
  /** The format of the journal, and of the entries in it. */
  readonly journal: number;
  /** The last number acknowledged when the segment was made: what is missing up to it is lost. */
  readonly after: number;
  /** The first number that may be in it. Numbers between the two were given up, never acknowledged. */
  readonly first: number;
}

export interface JournalEntry {
  readonly number: number;
  readonly entry: CheckedEntry;
}

/** The present format. A reader that knows only older ones must not write. */
export const journalFormat = 1;

const headerLine = z.object({ journal: z.int(), after: z.int(), first: z.int() });
const numberedLine = z.object({ number: z.int(), entry: z.unknown() });

const [opening, closing] = [`{"crc":"`, `",`];
const bodyStart = opening.length + 8 + closing.length;

export function encodeHeader(header: SegmentHeader): string {
  return sealed(JSON.stringify(header));
}

export function encodeEntry({ number, entry }: JournalEntry): string {
  return sealed(`{"number":${number},"entry":${JSON.stringify(entry)}}`);
}

/** @param object JSON text of an object, whose opening brace gives way to the checksum */
function sealed(object: string): string {
  const body = object.slice(1);
  return `${opening}${checksum(body)}${closing}${body}\n`;
}

/** What a line is. `unreadable` is whole, but says what this version of purser does not understand. */
export type JournalLine =
  | { readonly kind: "header"; readonly header: SegmentHeader }
  | { readonly kind: "entry"; readonly number: number; readonly entry: CheckedEntry }
  | { readonly kind: "unreadable"; readonly number: number }
  | { readonly kind: "damaged" };

/** @param line without its newline */
export function decodeLine(line: Buffer): JournalLine {
  const body = line.subarray(bodyStart);
  const seal = line.toString("latin1", 0, bodyStart);
  if (seal !== `${opening}${checksum(body)}${closing}`) return { kind: "damaged" };
  const value = parsed(`{${body.toString("utf8")}`);
  const header = headerLine.safeParse(value);
  if (header.success) return { kind: "header", header: header.data };
  const numbered = numberedLine.safeParse(value);
  if (!numbered.success) return { kind: "damaged" };
  const { number } = numbered.data;
  const entry = ledgerEntry.safeParse(numbered.data.entry);
  return entry.success ? { kind: "entry", number, entry: entry.data } : { kind: "unreadable", number };
}

/** Undefined for what is not JSON, though its checksum is right: somebody else wrote it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function checksum(text: string | Buffer): string {
  return crc32(text).toString(16).padStart(8, "0");
}
