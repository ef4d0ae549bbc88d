import os from "node:os";
import path from "node:path";
import {
  compileCacheVariable,
  deleteUnusedCode,
  packageVersion,
  sampleFolder,
  storeCompiledCode,
} from "../base/process.ts";
import { readBuildStamp } from "./build-stamp.ts";
import { successorArgument } from "./launch/launch.ts";
import { releaseThreads } from "./launch/runtime-flags.ts";
import { bundledPrograms, sourcePrograms } from "./launch/programs.ts";
import { runService } from "./run-service.ts";

const folder = path.dirname(import.meta.filename);
// The bundle is in `dist`, next to the threads' programs. From source Node runs the file in place.
const isBundled = !import.meta.filename.endsWith(".ts");

/** When the start is over, and its code not dropped yet. Milliseconds. */
const codeStoredAfter = 4000;
const compiled = process.env[compileCacheVariable];
// Programs that the service starts must not use it.
Reflect.deleteProperty(process.env, compileCacheVariable);
if (compiled !== undefined)
  setTimeout(() => {
    storeCompiledCode();
    deleteUnusedCode(compiled, Date.now());
  }, codeStoredAfter).unref();

releaseThreads();
void runService({
  env: process.env,
  // A thread's system functions use the process's environment, not the thread's.
  userHome: sampleFolder(process.env) ?? os.homedir(),
  version: packageVersion(path.join(folder, isBundled ? ".." : "../../..", "package.json")),
  build: isBundled ? readBuildStamp(folder) : null,
  isSuccessor: process.argv.includes(successorArgument),
  ...(isBundled ? bundledPrograms(folder) : sourcePrograms(path.join(folder, ".."))),
  finishers: [],
});
