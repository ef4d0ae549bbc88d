import { readFileSync } from "node:fs";
import path from "node:path";

/** What was built, beside its programs in `build.json`: the same version may be built again. */
export interface BuildStamp {
  /** Of all programs together. */
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly builtAt: number;
}

/** Null where programs run as they are written. Read by hand, since the hooks' program reads it every time. */
export function readBuildStamp(folder: string): BuildStamp | null {
  try {
    const stamp: unknown = JSON.parse(readFileSync(path.join(folder, "build.json"), "utf8"));
    if (typeof stamp !== "object" || stamp === null || !("hash" in stamp) || !("builtAt" in stamp))
      return null;
    const { hash, builtAt } = stamp;
    return typeof hash === "string" && typeof builtAt === "number" ? { hash, builtAt } : null;
  } catch {
    return null;
  }
}

/** What of a purser says how new it is. */
export interface Age {
  readonly version: string;
  /** Null where it is not known, or it runs as it is written. */
  readonly build: BuildStamp | null;
}
