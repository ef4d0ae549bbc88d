import path from "node:path";
import { readFileSync } from "node:fs";
import { parseJson } from "../base/parse.ts";

export { takeHomeLock } from "./home-lock.ts";

/** Stored next to the programs in `build.json`: the same version may be built again. */
export interface BuildStamp {
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly builtAt: number;
}

/** Null when running from source. Parsed by hand, since the hooks' program reads it every time. */
export function readBuildStamp(folder: string): BuildStamp | null {
  try {
    const stamp = parseJson(readFileSync(path.join(folder, "build.json"), "utf8"));
    if (typeof stamp !== "object" || stamp === null || !("hash" in stamp) || !("builtAt" in stamp))
      return null;
    const { hash, builtAt } = stamp;
    return typeof hash === "string" && typeof builtAt === "number" ? { hash, builtAt } : null;
  } catch {
    return null;
  }
}

/** How new a purser installation is. */
export interface Age {
  readonly version: string;
  /** Null where unknown, or running from source. */
  readonly build: BuildStamp | null;
}
