import { readFileSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { rethrowUnlessSystemError } from "../error-code.ts";

/** Reads a file's text; null if it is not a file, too large, or inaccessible. @param largest bytes */
export function readSmallText(file: string, largest: number): string | null {
  try {
    const stats = statSync(file);
    // Opening a FIFO would wait for its writer.
    return stats.isFile() && stats.size <= largest ? readFileSync(file, "utf8") : null;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}

/** The same without making its thread wait for the disk. @param largest bytes */
export async function readSmallTextAsync(file: string, largest: number): Promise<string | null> {
  try {
    const stats = await stat(file);
    return stats.isFile() && stats.size <= largest ? await readFile(file, "utf8") : null;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}
