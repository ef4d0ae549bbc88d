import { enableCompileCache } from "node:module";

/** Begins the service of a test with what other processes have compiled. */
const { PURSER_TEST_COMPILED: compiled } = process.env;
if (compiled !== undefined) {
  enableCompileCache(compiled);
  // Its threads and processes look here.
  process.env["NODE_COMPILE_CACHE"] = compiled;
}
await import("./test-service.ts");
