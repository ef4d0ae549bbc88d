export {
  isProcessAlive,
  launcherFile,
  posixCommand,
  shellCommand,
  type SystemCommand,
} from "./process/system-commands.ts";
export { findProgram, startOf, type ProgramPlaces } from "./process/find-program.ts";
export {
  commandLine,
  compareVersions,
  isVersionBefore,
  plainWord,
  quotedWord,
} from "./text/version-order.ts";
export {
  packageVersion,
  sampleFolder,
  shortLimits,
  threadLimits,
  versionIn,
  type HostPorts,
} from "./process/host-ports.ts";
export {
  compileCacheFolder,
  compileCacheVariable,
  deleteUnusedCode,
  storeCompiledCode,
  threadEnvironment,
  useCompileCache,
} from "./process/compile-cache.ts";
export { HeapTidier } from "./process/heap-tidier.ts";
export { briefRunner, thisMachine, type Machine } from "./process/machine.ts";
