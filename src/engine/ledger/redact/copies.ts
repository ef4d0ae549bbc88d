import path from "node:path";
import { moveInto, writeAtomically } from "../../base/files.ts";
import { errorCode, rethrowUnlessSystemError } from "../../base/result.ts";
import { scrub, adjoinedKeys } from "../../base/scrub.ts";
import { LineWriter, decodeLine } from "../journal/line.ts";
import { listSegments } from "../journal/segment.ts";
import { workingPaths } from "../pages/working-file.ts";
import { ledgerEntry } from "../entries/entries-entry.ts";
import { journalFolderName } from "../journal.ts";
import { redactText, redactTexts, redactValue } from "./texts.ts";
import { closeSnapshot, openSnapshot, writeCompacted, type StorePorts } from "../store/snapshots.ts";

/** Bytes searched together, and bytes of them searched again with the next part: longer than any key. */
const [together, again] = [1 << 20, 1 << 12];
/** Maximum bytes between two parts of one text: the number of an SQLite page, and the bytes around it. */
const maxGap = 8;
const star = 0x2a;

/**
 * Overwrites keys in a file that cannot be read in its own format. Its texts adjoin each other, so a key may begin or
 * end within a word, and a text may continue in another page.
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
    const isEnd = next - at > maxGap;
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

/** The end of the bytes that are not text: unprintable bytes, and a page's number, which begins with two zeros. */
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

/** Files beside the ledger that hold text from transcripts. */
const texts = [
  { folder: "sessions", name: /\.json$/u },
  { folder: "handovers", name: /\.md$/u },
] as const;

/**
 * Removes secrets from the files that earlier versions left beside the ledger: copies from before a migration, damaged
 * and replaced ledgers, states of sessions, and handover documents. Can be repeated after an interruption.
 *
 * @returns whether all could be read and written
 */
export async function redactCopies(folder: string, ports: StorePorts): Promise<boolean> {
  const work = [() => redactLedgers(folder, ports)];
  const listed = await attempt(async () => {
    for (const name of await namesIn(folder, ports))
      if (name.startsWith("replaced-")) work.push(() => redactReplaced(path.join(folder, name), ports));
    for (const { folder: below, name: wanted } of texts) {
      const place = path.join(folder, below);
      for (const name of await namesIn(place, ports))
        if (wanted.test(name)) work.push(() => redactTextFile(path.join(place, name), ports));
    }
    return true;
  });
  let isWhole = listed;
  // Continues with the rest if one file cannot be read or written.
  for (const each of work) isWhole = (await attempt(each)) && isWhole;
  return isWhole;
}

/** The current ledger has other names than its copies. */
async function redactLedgers(folder: string, ports: StorePorts): Promise<boolean> {
  let isWhole = true;
  for (const name of await namesIn(folder, ports))
    if (/^ledger\.(?:schema-\d+|(?:\w+\.)?damaged-.+)\.sqlite$/u.test(name))
      isWhole = (await attempt(() => redactDatabase(path.join(folder, name), ports))) && isWhole;
  return isWhole;
}

/** A whole, unused ledger, which `restoreLedger` moved into a folder. */
async function redactReplaced(folder: string, ports: StorePorts): Promise<boolean> {
  const names = await namesIn(folder, ports);
  const working = workingPaths(folder);
  const journal = path.join(folder, journalFolderName);
  const work = [() => redactLedgers(folder, ports)];
  for (const name of ["ledger.sqlite", "ledger.previous.sqlite", path.basename(working.file)])
    if (names.includes(name)) work.push(() => redactDatabase(path.join(folder, name), ports));
  if (names.includes(path.basename(working.log))) work.push(() => blank(working.log, ports));
  if (names.includes(journalFolderName))
    for (const segment of await listSegments(journal, ports.files))
      work.push(() => redactSegment(segment.path, ports));
  let isWhole = true;
  for (const each of work) isWhole = (await attempt(each)) && isWhole;
  return isWhole;
}

async function redactDatabase(file: string, ports: StorePorts): Promise<boolean> {
  const opened = await openSnapshot(file, null, ports);
  if (opened === undefined) return true;
  if ("reason" in opened) return opened.reason === "damaged" && (await blank(file, ports));
  let temporary: string;
  try {
    // Even without a change: free pages may still hold texts that were removed from the tables.
    redactTexts(opened.db);
    ({ temporary } = await writeCompacted(file, opened.db, ports));
  } finally {
    await closeSnapshot(opened);
  }
  await moveInto(temporary, file, ports.files);
  return true;
}

async function redactSegment(file: string, ports: StorePorts): Promise<boolean> {
  return replaceBytes(file, redactLines, ports);
}

/** Lines of a later version, and damaged ones, keep their length; only secrets in them are overwritten. */
function redactLines(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, end);
    lines.push(redactLine(line));
    start = end;
  }
  return Buffer.concat(lines);
}

function redactLine(line: Buffer): Buffer {
  const decoded = line.at(-1) === 0x0a ? decodeLine(line.subarray(0, -1), -1) : null;
  if (decoded?.kind === "header") return line;
  if (decoded?.kind !== "entry") return withoutSecrets(line);
  const redacted = redactValue(decoded.entry);
  if (redacted === decoded.entry) return line;
  const entry = ledgerEntry.safeParse(redacted);
  if (!entry.success) return withoutSecrets(line);
  const writer = new LineWriter();
  writer.add({ number: decoded.number, entry: entry.data });
  return Buffer.from(writer.bytes());
}

async function redactTextFile(file: string, ports: StorePorts): Promise<boolean> {
  return replaceBytes(file, (bytes) => Buffer.from(redactText(bytes.toString("utf8"))), ports);
}

/** Overwrites secrets in a file that cannot be read in its own format. Its length and all other bytes stay. */
async function blank(file: string, ports: StorePorts): Promise<boolean> {
  return replaceBytes(file, withoutSecrets, ports);
}

async function replaceBytes(
  file: string,
  change: (bytes: Buffer) => Buffer,
  ports: StorePorts,
): Promise<boolean> {
  const before = await ports.files.read(file);
  const after = change(before);
  if (!after.equals(before)) await writeAtomically(file, after, ports);
  return true;
}

/** Printable characters, as in a page of SQLite or in a line. */
const printable = /[\t\x20-\x7e\x80-\xff]{8,}/gu;

function withoutSecrets(bytes: Buffer): Buffer {
  const text = withoutAdjoined(bytes).toString("latin1");
  return Buffer.from(text.replace(printable, withBlanks), "latin1");
}

/** Overwrites the parts of a text that differ from the same text without secrets. */
function withBlanks(text: string): string {
  const redacted = scrub(text);
  if (redacted === text) return text;
  const shorter = Math.min(text.length, redacted.length);
  let start = 0;
  while (start < shorter && text[start] === redacted[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === redacted.at(-1 - end)) end += 1;
  return text.slice(0, start) + "*".repeat(text.length - start - end) + text.slice(text.length - end);
}

async function namesIn(folder: string, { files }: StorePorts): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return [];
    throw error;
  }
}

/** @returns false if the system refused */
async function attempt(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}
