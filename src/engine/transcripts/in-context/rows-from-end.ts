import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { parseJsonLine } from "../json-line.ts";
import { recordsIn } from "../records/recovered.ts";

interface ReadingBounds {
  /** Maximum bytes to read. */
  readonly most: number;
  /** Whether a line need not be parsed. */
  readonly isIdle: (line: Buffer) => boolean;
}

/** Shorter than a file's usual tail, so that what was written just now costs one read. Bytes. */
const chunkSize = 128 * 1024;
const newline = 0x0a;

/**
 * Yields the rows of a growing file of JSON lines, newest first, until the bound or the file's beginning; undefined for
 * a line that is not JSON. A last line without its end is still being written, and left out. Throws the system's
 * errors.
 */
export async function* rowsFromEnd(path: string, { most, isIdle }: ReadingBounds): AsyncGenerator {
  // A FIFO would wait for a writer. Windows has no O_NONBLOCK, and no FIFO in its file system either.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK || 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return;
    const least = Math.max(0, stats.size - most);
    /** The beginning of the line that is read last, and the chunks after it. */
    let rest: Buffer[] = [];
    let isEnded = false;
    for (let end = stats.size; end > least;) {
      const start = Math.max(least, end - chunkSize);
      const chunk = Buffer.allocUnsafe(end - start);
      const { bytesRead } = await file.read(chunk, 0, chunk.length, start);
      // The file was truncated in between.
      if (bytesRead !== chunk.length) return;
      let until = chunk.length;
      for (;;) {
        const at = until === 0 ? -1 : chunk.lastIndexOf(newline, until - 1);
        if (at < 0) break;
        const line = Buffer.concat([chunk.subarray(at + 1, until), ...rest]);
        if (isEnded && !isIdle(line)) yield* rowIn(line);
        isEnded = true;
        rest = [];
        until = at;
      }
      rest.unshift(chunk.subarray(0, until));
      end = start;
    }
    const first = Buffer.concat(rest);
    if (least === 0 && isEnded && !isIdle(first)) yield* rowIn(first);
  } finally {
    await file.close();
  }
}

function* rowIn(line: Buffer): Generator {
  const read = parseJsonLine(line);
  if (read.kind === "value") yield read.value;
  if (read.kind !== "malformed") return;
  // The records of a line also come newest first. The rest of the line was written before or between them.
  for (const record of recordsIn(line).reverse()) yield* rowIn(record);
  yield undefined;
}
