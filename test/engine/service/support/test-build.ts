import type { BuildStamp } from "../../../../src/engine/service/build-stamp.ts";

/** What a test says was built: `HASH TIME`. */
export function readTestBuild(text = ""): BuildStamp | null {
  const [hash = "", builtAt] = text.split(" ");
  return builtAt === undefined ? null : { hash, builtAt: Number(builtAt) };
}
