/**
 * How the service's runtime is begun: it does little, all day, and beside an editor. Room for what is soon garbage is small, V8 prefers
 * small code and heaps, and one thread helps it instead of four. `--expose-gc` is for `HeapTidier`. All of them are known to each
 * version of Node and Electron that we run on; one that is not would keep the service from beginning.
 */
export const runtimeFlags = [
  "--max-semi-space-size=1",
  "--optimize-for-size",
  "--v8-pool-size=1",
  "--expose-gc",
] as const;

/** For glibc: threads share their rooms, instead of each keeping one, and what is free is given back. Others do not look at it. */
export const runtimeVariables = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "131072",
} as const;
