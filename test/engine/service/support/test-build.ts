import type { BuildStamp } from "../../../../src/engine/service/build-stamp.ts";

/** Parses a test's build stamp: `HASH TIME`. */
export function readTestBuild(text = ""): BuildStamp | null {
  const [hash = "", builtAt] = text.split(" ");
  return builtAt === undefined ? null : { hash, builtAt: Number(builtAt) };
}
