import path from "node:path";
import { readdir, readFile, stat } from "node:fs/promises";
import { statSync, type Stats, readFileSync } from "node:fs";
import { errorCode, rethrowUnlessSystemError } from "./result.ts";
import type { FilePort } from "./disk/file-port.ts";

export { nodeFiles, type FilePort, type OpenFile } from "./disk/file-port.ts";
export { isDiskFull, refusalRemedy, withRefusalRemedy } from "./disk/refusal-remedy.ts";
export { makeFolder } from "./disk/make-folder.ts";

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

/** Returns a file's stats; undefined for one that does not exist, or that may not be looked at. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    rethrowUnlessSystemError(error);
    return undefined;
  }
}

/** Returns whether something is at this path, even if it is inaccessible: its reader reports the reason. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return true;
  }
}

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

/** The same without blocking its thread. @param largest bytes */
export async function readSmallTextAsync(file: string, largest: number): Promise<string | null> {
  try {
    const stats = await stat(file);
    return stats.isFile() && stats.size <= largest ? await readFile(file, "utf8") : null;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}

interface AtomicPorts {
  readonly files: FilePort;
  /** Returns a word that no other process or call uses, for the temporary file's name. */
  readonly unique: () => string;
  /** False if the last write may be lost in a power failure: then nothing waits for the disk. */
  readonly isDurable?: boolean;
}

/** Form of a temporary file's name: hidden, and beside its target. */
const temporaryName = /^\..+\.tmp$/u;

/** Whether a name is that of a temporary file, left by an interrupted atomic write. */
export function isLeftover(name: string): boolean {
  return temporaryName.test(name);
}

/**
 * Replaces a file's content so that any reader, even after a crash, finds either all of the old or all of the new.
 * @throws the system's error; the file is unchanged then, and the temporary file is removed.
 */
export async function writeAtomically(file: string, bytes: Uint8Array, ports: AtomicPorts): Promise<void> {
  const temporary = await writeBeside(file, bytes, ports);
  await moveInto(temporary, file, ports.files, ports.isDurable);
}

export function temporaryBeside(file: string, { unique }: Pick<AtomicPorts, "unique">): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${unique()}.tmp`);
}

/** Writes a temporary file in the folder of its target, flushed to the disk if durable, and returns its path. */
export async function writeBeside(file: string, bytes: Uint8Array, ports: AtomicPorts): Promise<string> {
  const { files, isDurable = true } = ports;
  const temporary = temporaryBeside(file, ports);
  try {
    const handle = await files.create(temporary);
    try {
      await handle.write(bytes, 0);
      if (isDurable) await handle.flush();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await files.remove(temporary);
    throw error;
  }
  return temporary;
}

export async function moveInto(
  temporary: string,
  file: string,
  files: FilePort,
  isDurable = true,
): Promise<void> {
  try {
    await files.rename(temporary, file);
  } catch (error) {
    await files.remove(temporary);
    throw error;
  }
  if (isDurable) await files.flushFolder(path.dirname(file));
}
