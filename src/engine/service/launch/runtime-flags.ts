/**
 * How the service's runtime is begun: it does little, all day, and beside an editor. Room for what is soon garbage is small, V8 prefers small
 * code and heaps, and copies none of its own code beside ours, which is 2.5 MB of a service. `--expose-gc` is for `HeapTidier`. All of them
 * are known to each version of Node and Electron that we run on; one that is not would keep the service from beginning.
 *
 * The baseline compiler has no thread of its own. It waits there, when a heap is at its limit, for the thread that it compiles for to collect
 * garbage, while that one, when it has nothing more to do, waits for the compiler before it ends (seen with Node 24.21): neither ever goes on.
 * V8's helping threads stay as many as they are by default, since all isolates share them: with one, which such a wait then holds, the
 * others' sweepers ask for it again and again for ever.
 */
export const runtimeFlags = [
  "--max-semi-space-size=1",
  "--optimize-for-size",
  "--no-short-builtin-calls",
  "--no-concurrent-sparkplug",
  "--expose-gc",
] as const;

/**
 * For glibc: threads share their rooms, instead of each keeping one, and what is free is given back. What V8 compiles with, 30 MB for a moment
 * and 32 KB at a time, has no place among what stays, which would keep a third of it. Others do not look at it.
 */
export const runtimeVariables = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_MMAP_THRESHOLD_: "32768",
} as const;
