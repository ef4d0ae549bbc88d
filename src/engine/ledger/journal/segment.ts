import path from "node:path";
import type { FilePort } from "../../base/files.ts";
import type { RandomFiles } from "../pages/random-file.ts";
import { decodeLine, journalFormat, type JournalEntry, type SegmentHeader } from "./line.ts";

export interface SegmentFile {
  readonly path: string;
  /** The lowest number it may hold. */
  readonly first: number;
  /** Orders segments with the same first number by creation. */
  readonly turn: number;
}

export interface SegmentReading {
  /** Null when its first line is damaged. */
  readonly header: SegmentHeader | null;
  readonly entries: readonly JournalEntry[];
  /** Bytes after the last newline: a line that was being written when the writer died. */
  readonly tornBytes: number;
  /** Whole lines that differ from the written ones. */
  readonly damagedLines: number;
  /** Numbers of whole lines that this version does not understand. */
  readonly unreadable: readonly number[];
  /** Written in a later format. */
  readonly isNewer: boolean;
}

const segmentName = /^(\d{16})-(\d{4})\.ndjson$/u;
const newline = 0x0a;

export function segmentPath(folder: string, first: number, turn: number): string {
  return path.join(folder, `${String(first).padStart(16, "0")}-${String(turn).padStart(4, "0")}.ndjson`);
}

/** Lists the segments of a journal's folder, in order. */
export async function listSegments(folder: string, files: FilePort): Promise<SegmentFile[]> {
  const names = await files.list(folder);
  return names
    .flatMap((name) => {
      const [, first, turn] = segmentName.exec(name) ?? [];
      if (first === undefined || turn === undefined) return [];
      return [{ path: path.join(folder, name), first: Number(first), turn: Number(turn) }];
    })
    .sort((one, other) => one.first - other.first || one.turn - other.turn);
}

export async function journalSize(folder: string, files: RandomFiles): Promise<number> {
  let bytes = 0;
  for (const segment of await listSegments(folder, files)) bytes += await files.size(segment.path);
  return bytes;
}

/**
 * Reads a segment's bytes, which may be damaged anywhere. @param known entries up to this number are checked and left
 * out
 */
export function readSegment(bytes: Buffer, known: number): SegmentReading {
  const entries: JournalEntry[] = [];
  const unreadable: number[] = [];
  let header: SegmentHeader | null = null;
  let damagedLines = 0;
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    const line = decodeLine(bytes.subarray(start, end), known);
    start = end + 1;
    if (line.kind === "header") header ??= line.header;
    else if (line.kind === "entry") entries.push({ number: line.number, entry: line.entry });
    else if (line.kind === "unreadable") unreadable.push(line.number);
    else if (line.kind === "damaged") damagedLines += 1;
  }
  return {
    header,
    entries,
    tornBytes: bytes.length - start,
    damagedLines,
    unreadable,
    isNewer: header !== null && header.journal > journalFormat,
  };
}

/**
 * Removes the segments with all their numbers in a snapshot that is safely on the disk. The newest segment stays. A
 * segment with damage is renamed instead, so that it can be inspected.
 *
 * @param upTo the last number of that snapshot
 */
export async function trimJournal(
  folder: string,
  { files, upTo, damaged }: { files: FilePort; upTo: number; damaged: ReadonlySet<string> },
): Promise<void> {
  const segments = await listSegments(folder, files);
  for (const [index, { path }] of segments.entries()) {
    const next = segments[index + 1];
    if (next === undefined || next.first - 1 > upTo) break;
    if (damaged.has(path)) await files.rename(path, `${path}.damaged`);
    else await files.remove(path);
  }
  await files.flushFolder(folder);
}
