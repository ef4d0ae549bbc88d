import { statSync, type Stats } from "node:fs";
import { rethrowUnlessSystemError } from "../error-code.ts";

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
