import { errorCode } from "../../base/result.ts";
import type { FilePort } from "../../base/files.ts";
import type { JournalEntry } from "./line.ts";
import { listSegments, readSegment, type SegmentFile, type SegmentReading } from "./segment.ts";

/** Contents of a journal beyond a snapshot. */
export interface JournalReading {
  readonly replayed: number;
  /** The highest number seen or acknowledged; the next entry's is higher. */
  readonly last: number;
  /** Bytes of lines that were being written when the writer died. They were never acknowledged. */
  readonly tornBytes: number;
  /** Lines that differ from the written ones. Their segments are kept. */
  readonly damagedLines: number;
  /** Acknowledged numbers that are found nowhere. */
  readonly lost: number;
  /** Intact lines that this version of purser does not understand. */
  readonly unreadable: number;
  /** A segment was written by a later version of purser. */
  readonly isNewer: boolean;
  /** Files that could not be read, with the system's error code, and files that hold damage. */
  readonly faulty: readonly { readonly path: string; readonly reason: string }[];
  /** Bytes of all segments. */
  readonly bytes: number;
}

/**
 * Reads the journal from the oldest segment to the newest, and passes the entries numbered above `applied` to `replay`,
 * once and in order, a segment at a time. Reports the faults it finds; changes nothing.
 */
export async function readJournal(
  { folder, files, applied }: { folder: string; files: FilePort; applied: number },
  replay: (entries: readonly JournalEntry[]) => void,
): Promise<JournalReading> {
  const tally = new Tally(applied);
  const segments = await segmentsIn(folder, files);
  for (const [index, segment] of segments.entries()) {
    // All of its numbers are below the next segment's first: the snapshot has them.
    if ((segments[index + 1]?.first ?? Infinity) - 1 <= applied) continue;
    const bytes = await bytesOf(segment, files, tally);
    if (bytes === undefined) continue;
    const fresh = tally.add(segment, readSegment(bytes, applied), bytes.length);
    if (fresh.length > 0) replay(fresh);
  }
  return tally.reading();
}

async function segmentsIn(folder: string, files: FilePort): Promise<readonly SegmentFile[]> {
  try {
    return await listSegments(folder, files);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function bytesOf({ path }: SegmentFile, files: FilePort, tally: Tally): Promise<Buffer | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    tally.faulty.push({ path, reason: errorCode(error) });
    return undefined;
  }
}

class Tally {
  readonly faulty: { path: string; reason: string }[] = [];
  #last: number;
  #replayed = 0;
  #tornBytes = 0;
  #damagedLines = 0;
  #lost = 0;
  #unreadable = 0;
  #isNewer = false;
  #bytes = 0;

  constructor(applied: number) {
    this.#last = applied;
  }

  /** Returns the entries not seen before. */
  add({ path }: SegmentFile, reading: SegmentReading, bytes: number): JournalEntry[] {
    const { header, entries, unreadable } = reading;
    this.#bytes += bytes;
    this.#tornBytes += reading.tornBytes;
    this.#damagedLines += reading.damagedLines;
    this.#unreadable += unreadable.length;
    this.#isNewer ||= reading.isNewer;
    if (reading.damagedLines > 0) this.faulty.push({ path, reason: "damaged" });
    if (header !== null) {
      this.#reach(header.after);
      // Numbers in between were given up when their write failed.
      this.#last = Math.max(this.#last, header.first - 1);
    }
    const fresh: JournalEntry[] = [];
    const numbers = new Set(unreadable);
    for (const each of entries) {
      if (each.number <= this.#last) continue;
      for (let number = this.#last + 1; numbers.has(number); number += 1) this.#last = number;
      this.#reach(each.number - 1);
      this.#last = each.number;
      fresh.push(each);
    }
    for (const number of unreadable) this.#last = Math.max(this.#last, number);
    this.#replayed += fresh.length;
    return fresh;
  }

  /** Counts acknowledged numbers up to this one that were not seen as lost. */
  #reach(number: number): void {
    this.#lost += Math.max(0, number - this.#last);
    this.#last = Math.max(this.#last, number);
  }

  reading(): JournalReading {
    return {
      replayed: this.#replayed,
      last: this.#last,
      tornBytes: this.#tornBytes,
      damagedLines: this.#damagedLines,
      lost: this.#lost,
      unreadable: this.#unreadable,
      isNewer: this.#isNewer,
      faulty: this.faulty,
      bytes: this.#bytes,
    };
  }
}
