import { closeSync, fstatSync, readSync } from "node:fs";
import { openToRead } from "../../transcripts/open-file.ts";

const chunkSize = 1024 * 1024;

/** Returns whether a regular file contains one of these texts. Throws the system's errors. */
export function holdsAny(path: string, texts: readonly string[]): boolean {
  const wanted = texts.map((text) => Buffer.from(text));
  // A text may begin in one chunk and end in the next.
  const overlap = Math.max(0, ...wanted.map(({ length }) => length - 1));
  const handle = openToRead(path);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return false;
    const buffer = Buffer.allocUnsafe(overlap + Math.min(stats.size, chunkSize));
    for (let kept = 0, offset = 0; ;) {
      const length = readSync(handle, buffer, kept, buffer.length - kept, offset);
      if (length === 0) return false;
      const read = buffer.subarray(0, kept + length);
      if (wanted.some((text) => read.includes(text))) return true;
      offset += length;
      kept = Math.min(overlap, read.length);
      read.copyWithin(0, read.length - kept);
    }
  } finally {
    closeSync(handle);
  }
}
