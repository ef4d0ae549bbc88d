import path from "node:path";
import type { FilePort } from "./file-port.ts";

interface AtomicPorts {
  readonly files: FilePort;
  /** A word no other process or call uses: it makes the temporary file's name. */
  readonly unique: () => string;
  /** False where losing what was written last with the machine's power is no loss: nothing waits for the disk then. */
  readonly isDurable?: boolean;
}

/** How a temporary file is called: hidden, and beside the file it is to become. */
const temporaryName = /^\..+\.tmp$/u;

/** Whether a name in a folder is what a killed process left of an atomic write. */
export function isLeftover(name: string): boolean {
  return temporaryName.test(name);
}

/**
 * Replaces a file's content so that whoever reads it, also after a crash, finds either all of the old or all of the new.
 * @throws the system's error; the file is as it was then, and the temporary file is gone.
 */
export async function writeAtomically(file: string, bytes: Uint8Array, ports: AtomicPorts): Promise<void> {
  const temporary = await writeBeside(file, bytes, ports);
  await moveInto(temporary, file, ports.files, ports.isDurable);
}

/** A name for a temporary file, in the folder of the one it is to become. */
export function temporaryBeside(file: string, { unique }: Pick<AtomicPorts, "unique">): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${unique()}.tmp`);
}

/** Writes a temporary file in the same folder, flushed to the disk, and answers its path. */
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

/** Gives a temporary file its name, in place of whatever has it. */
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
