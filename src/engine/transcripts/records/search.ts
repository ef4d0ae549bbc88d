import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { rethrowUnlessSystemError } from "../../base/result.ts";

/** Returns the paths of everything in these folders, without holding up the thread. A folder that cannot be read is empty. */
export async function pathsIn(folders: readonly string[]): Promise<string[]> {
  return (await Promise.all(folders.map((folder) => listed(folder)))).flat();
}

/** Returns the first of these paths at which there is a regular file. */
export async function firstFile(paths: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(paths.map((file) => isFile(file)));
  return paths.find((_, index) => found[index]);
}

async function listed(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted().map((name) => path.join(folder, name));
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}
