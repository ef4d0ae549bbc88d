import { readFileSync, statSync } from "node:fs";
import { errorCode } from "../error-code.ts";

/** Reads a file's text; null if it is no file, too large, or inaccessible. @param largest bytes */
export function readSmallText(file: string, largest: number): string | null {
  try {
    const stats = statSync(file);
    // Opening a FIFO would wait for its writer.
    return stats.isFile() && stats.size <= largest ? readFileSync(file, "utf8") : null;
  } catch (error) {
    errorCode(error);
    return null;
  }
}
