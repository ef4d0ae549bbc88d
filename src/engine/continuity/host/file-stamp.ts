import { lstat } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";

/** Returns a file's size and the time of its last change, as one text; null where it cannot be told. */
export async function fileStamp(folder: string, file: string): Promise<string | null> {
  try {
    const { size, mtimeMs } = await lstat(path.join(folder, file));
    return `${size} ${mtimeMs}`;
  } catch (error) {
    errorCode(error);
    return null;
  }
}
