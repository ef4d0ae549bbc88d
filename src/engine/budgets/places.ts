import path from "node:path";
import type { FilePort } from "../base/disk/file-port.ts";
import { errorCode } from "../base/error-code.ts";

/** Where budgets are, in a project. */
export interface BudgetPlaces {
  /** A file a convoy, to be kept in git. */
  readonly budgets: string;
  /** What was spent, and locks: this machine's, and kept out of git. */
  readonly spending: string;
  /** The name of the lock in `spending` that is held while a budget's file is changed. */
  readonly lock: string;
}

export function budgetPlaces(project: string): BudgetPlaces {
  const spending = path.join(project, ".purser", "spending");
  return {
    budgets: path.join(project, ".purser", "budgets"),
    spending,
    lock: "budgets",
  };
}

/** Makes the folder of what was spent, with a note to git that leaves all of it out. */
export async function makeSpendingFolder(folder: string, files: FilePort): Promise<void> {
  await files.makeFolder(folder);
  try {
    const handle = await files.create(path.join(folder, ".gitignore"));
    await handle.write(Buffer.from("*\n"), 0).finally(() => handle.close());
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** The names in a folder; none when it is not there. */
export async function namesIn(folder: string, files: FilePort): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** A file's bytes; undefined when it is not there. */
export async function readIfThere(file: string, files: FilePort): Promise<Buffer | undefined> {
  try {
    return await files.read(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
