import { setFlagsFromString } from "node:v8";
import { isMainThread } from "node:worker_threads";

/**
 * Flags for the service's runtime, which does little, all day, and beside an editor. The young generation is small, V8 optimizes for size, and
 * does not copy its builtins beside our code, which would take 2.5 MB per service. Code that ran only at the start is dropped by the second
 * collection after it, not the sixth, which would come hours later; run again, it is compiled again: 1.5 MB. `--expose-gc` is for `HeapTidier`. Every version of Node
 * and Electron that we run on knows all of these flags; an unknown one would keep the service from starting.
 *
 * The baseline compiler gets no thread of its own. On one, when a heap is at its limit, it waits for the thread that it compiles for to
 * collect garbage, while that thread, if it is about to end, waits for the compiler (seen with Node 24.21): a deadlock. V8's helper threads
 * stay at their default number, since all isolates share them: with a single one, held by such a wait, the sweepers of the others would
 * request it again and again forever.
 */
export const runtimeFlags = [
  "--max-semi-space-size=1",
  "--optimize-for-size",
  "--no-short-builtin-calls",
  "--no-concurrent-sparkplug",
  "--bytecode-old-age=2",
  "--expose-gc",
] as const;

/**
 * Gives threads that start from now on the limits of their own options. The flags would override these: with
 * a young generation as small as that of the main thread, collecting takes a third more processor time. V8
 * reads these flags when a thread starts, and when it decides how far a heap may grow.
 */
export function releaseThreads(): void {
  if (!isMainThread || !process.execArgv.includes(runtimeFlags[0])) return;
  for (const flag of ["--max-semi-space-size=0", "--no-optimize-for-size"]) setFlagsFromString(flag);
}

/**
 * Settings for glibc's malloc: threads share one arena instead of having one each, and free memory is
 * returned. V8's compilation buffers, briefly 30 MB in pieces of 32 KB, get their own mappings; among
 * long-lived memory they would keep a third of it allocated. Other C libraries ignore these variables.
 */
export const runtimeVariables = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_MMAP_THRESHOLD_: "32768",
} as const;
