import path from "node:path";
import type { FilePort } from "../base/files.ts";
import { errorCode } from "../base/result.ts";

/** Paths of a project's budgets. */
export interface BudgetPaths {
  /** Folder with one file per convoy, to be kept in git. */
  readonly budgets: string;
  /** Folder of this machine's spending and locks, kept out of git. */
  readonly spending: string;
  /** Name of the lock in `spending` that is held while a budget's file is changed. */
  readonly lock: string;
}

export function budgetPaths(project: string): BudgetPaths {
  const spending = path.join(project, ".purser", "spending");
  return {
    budgets: path.join(project, ".purser", "budgets"),
    spending,
    lock: "budgets",
  };
}

export async function makeSpendingFolder(folder: string, files: FilePort): Promise<void> {
  await files.makeFolder(folder);
  try {
    const handle = await files.create(path.join(folder, ".gitignore"));
    try {
      await handle.write(Buffer.from("*\n"), 0);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

export async function namesIn(folder: string, files: FilePort): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

export async function readIfThere(file: string, files: FilePort): Promise<Buffer | undefined> {
  try {
    return await files.read(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
