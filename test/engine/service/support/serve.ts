import { enableCompileCache } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Starts a test's service with a shared compile cache. */
const { PURSER_TEST_COMPILED: compiled, PURSER_TEST_PROGRAMS: built } = process.env;
if (compiled !== undefined) {
  enableCompileCache(compiled);
  // Its threads and processes read this variable.
  process.env["NODE_COMPILE_CACHE"] = compiled;
}
await import(
  built === undefined ? "./test-service.ts" : pathToFileURL(path.join(built, "test-service.cjs")).href
);
