import type { ShellContext } from "../../../../src/engine/guard/commands/invocation.ts";

/** A shell in the root of a project below somebody's home. */
export const testContext: ShellContext = {
  folder: "/home/ann/shop",
  home: "/home/ann",
  project: "/home/ann/shop",
  temporary: "/tmp",
};
