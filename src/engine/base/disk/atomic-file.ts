import path from "node:path";
import type { FilePort } from "./file-port.ts";

interface AtomicPorts {
  readonly files: FilePort;
  /** Returns a word that no other process or call uses, for the temporary file's name. */
  readonly unique: () => string;
  /** False if the last write may be lost in a power failure: then nothing waits for the disk. */
  readonly isDurable?: boolean;
}

/** Form of a temporary file's name: hidden, and beside its target. */
const temporaryName = /^\..+\.tmp$/u;

/** Whether a name in a folder is a temporary file of an interrupted atomic write. */
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

/** Returns a name for a temporary file, in the folder of its target. */
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

/** Renames a temporary file to its target, replacing any existing file. */
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
