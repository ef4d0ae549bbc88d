import { resolve } from "node:path";

/**
 * Loaded before those tests of the check that start programs: has them start the bundles that `build/test-programs.ts` made, which takes half
 * the processor time of several hundred source files. Without this, as when a file is run by hand, tests start the sources.
 */
export const builtPrograms = resolve(import.meta.dirname, "../../out/test-programs/dist");
process.env["PURSER_TEST_PROGRAMS"] = builtPrograms;
