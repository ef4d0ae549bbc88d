import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import nodeModule from "node:module";
import path from "node:path";
import { rethrowUnlessSystemError } from "../result.ts";

/**
 * Node stores compiled code in a folder and reads it at the next start, which takes a fifth of the service's time to start. Node 22.10 and
 * newer do so; older ones ignore all of this.
 */
export const compileCacheVariable = "NODE_COMPILE_CACHE";

/** Time after which the compiled code of an unused build is deleted. Milliseconds. */
const maxUnusedMs = 30 * 86_400_000;

/** The folder for the compiled code of one build. @param compiled the parent of all of them */
export function compileCacheFolder(compiled: string, buildHash: string): string {
  return path.join(compiled, buildHash.slice(0, 16));
}

/** Uses a folder of compiled code for what this process loads from now on. */
export function useCompileCache(folder: string): void {
  if ("enableCompileCache" in nodeModule) nodeModule.enableCompileCache(folder);
}

/** The environment of a thread that uses its process's folder of compiled code. */
export function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = "getCompileCacheDir" in nodeModule ? nodeModule.getCompileCacheDir() : undefined;
  // Node's own folder is below the requested one.
  return folder === undefined
    ? process.env
    : { ...process.env, [compileCacheVariable]: path.dirname(folder) };
}

/** Stores the code compiled so far. Later, V8 has dropped what ran only at the start; a killed process stores nothing. */
export function storeCompiledCode(): void {
  if ("flushCompileCache" in nodeModule) nodeModule.flushCompileCache();
}

/** Deletes the compiled code of builds that were not used for a month, and marks this one as used. Milliseconds. */
export function deleteUnusedCode(folder: string, now: number): void {
  try {
    utimesSync(folder, new Date(now), new Date(now));
    const compiled = path.dirname(folder);
    for (const name of readdirSync(compiled)) {
      const other = path.join(compiled, name);
      if (now - statSync(other).mtimeMs > maxUnusedMs) rmSync(other, { recursive: true, force: true });
    }
  } catch (error) {
    // Another process may delete the same folder.
    rethrowUnlessSystemError(error);
  }
}
