import path from "node:path";
import { mkdirSync, statSync } from "node:fs";
import { errorCode } from "../result.ts";

/**
 * Creates a folder and its missing parents. Node's own recursive creation never returns below a folder in which none can be made and which
 * answers "no such file", as /proc does.
 * @throws the system's error
 */
export function makeFolder(folder: string, mode: number): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !isThere(at); at = path.dirname(at)) {
    missing.push(at);
    if (at === path.dirname(at)) break;
  }
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      // Another process may have made it at the same time.
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

function isThere(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const code = errorCode(error);
    // A parent is a file: making the folder reports that.
    if (code === "ENOTDIR") return false;
    throw error;
  }
}
