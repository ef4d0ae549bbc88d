import { closeSync, fstatSync, openSync, readSync, watch } from "node:fs";
import path from "node:path";

/**
 * The minimal way to follow a file: watches its folder and reads the new bytes after each change, without inspecting
 * them.
 * @param onBytes called with the file's new length after its new bytes were read
 */
export function followBytes(file: string, onBytes: (length: number) => void): void {
  let read = 0;
  watch(path.dirname(file), () => {
    const length = readFrom(file, read);
    if (length === read) return;
    read = length;
    onBytes(length);
  });
}

function readFrom(file: string, from: number): number {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(fstatSync(descriptor).size - from);
    return from + readSync(descriptor, bytes, 0, bytes.length, from);
  } finally {
    closeSync(descriptor);
  }
}
