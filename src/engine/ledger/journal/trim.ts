import type { FilePort } from "../../base/files.ts";
import { listSegments } from "./segment.ts";

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
