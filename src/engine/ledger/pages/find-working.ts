import { writeAtomically } from "../../base/files.ts";
import { errorCode, rethrowUnlessSystemError } from "../../base/result.ts";
import type { RandomFile } from "./random-file.ts";
import { openLog } from "./change-log.ts";
import { PageSums } from "./sums.ts";
import { sumsIn, workingPaths, type FoundWorking, type WorkingPorts } from "./working-file.ts";
import { readAll, writeLogged } from "./write.ts";

/** Why a working file is unusable. */
export interface WorkingFault {
  readonly path: string;
  /** The system's error code, or `damaged`. */
  readonly reason: string;
}

/**
 * Opens the working file. First finishes an interrupted checkpoint by writing its log into the file. Checks every page
 * against its sum.
 *
 * @returns null if there is no working file
 * @throws the system's error, if a log cannot be written
 */
export async function findWorking(
  folder: string,
  ports: WorkingPorts,
): Promise<FoundWorking | WorkingFault | null> {
  const paths = workingPaths(folder);
  const fault = (reason: string): WorkingFault => ({ path: paths.file, reason });
  let file: RandomFile;
  try {
    file = await ports.files.open(paths.file, "change");
  } catch (error) {
    const reason = errorCode(error);
    return reason === "ENOENT" ? null : fault(reason);
  }
  let isGood = false;
  try {
    const known = await readSums(paths.sums, ports);
    if (known === null) return fault("damaged");
    const sums = await endCheckpoint({ folder, file, sums: known }, ports);
    isGood = (await readAll(file, sums)) === null;
    return isGood ? { file, sums } : fault("damaged");
  } finally {
    if (!isGood) await file.close();
  }
}

/** @returns the file's sums after that */
async function endCheckpoint(
  { folder, file, sums }: FoundWorking & { readonly folder: string },
  ports: WorkingPorts,
): Promise<PageSums> {
  const paths = workingPaths(folder);
  let held: RandomFile;
  try {
    held = await ports.files.open(paths.log, "read");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return sums;
    throw error;
  }
  let next = sums;
  try {
    const log = openLog(held);
    // A log of another generation was already written into the file, or belongs to an older file.
    if (log?.generation === sums.generation + 1) {
      await writeLogged(log, file);
      await file.flush();
      next = sums.after(sumsIn(log));
      await writeAtomically(paths.sums, next.encoded(), ports);
    }
  } finally {
    await held.close();
  }
  await ports.files.remove(paths.log);
  return next;
}

async function readSums(file: string, { files }: WorkingPorts): Promise<PageSums | null> {
  try {
    return PageSums.decoded(await files.read(file));
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}
