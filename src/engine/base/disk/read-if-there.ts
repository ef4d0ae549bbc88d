import { readdir, readFile } from "node:fs/promises";
import { errorCode, rethrowUnlessSystemError } from "../error-code.ts";

/** Returns a file's text; null if there is no such file. Rejects with other errors of the system. */
export async function textIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Returns the names in a folder; none if it does not exist or cannot be read. Rejects with errors that are not the system's. */
export async function namesIfReadable(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
}
