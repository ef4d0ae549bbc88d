import { enableCompileCache } from "node:module";

/** Starts a test's service with a shared compile cache. */
const { PURSER_TEST_COMPILED: compiled } = process.env;
if (compiled !== undefined) {
  enableCompileCache(compiled);
  // Its threads and processes read this variable.
  process.env["NODE_COMPILE_CACHE"] = compiled;
}
await import("./test-service.ts");
