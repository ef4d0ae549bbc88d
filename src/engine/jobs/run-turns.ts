import type { BenchRun } from "../bench/run-facts.ts";
import type { StoredTrajectory } from "../bench/state/stored-trajectory.ts";
import type { RunPage } from "./answers/bench.ts";

/** Returns a run's turns, each with the time until the next one or the end. */
export function timelineOf(
  { turns, changes, checkOutput }: StoredTrajectory,
  { durationMs, driver }: Pick<BenchRun, "durationMs" | "driver">,
): NonNullable<RunPage["trajectory"]> {
  return {
    turns: turns.map(({ at, usage, calls, text, isSidechain }, index) => {
      // A replay's end was measured by another clock.
      const end = driver === "replay" ? null : durationMs;
      const next = index + 1 < turns.length ? (turns[index + 1]?.at ?? null) : end;
      const { input, output, cacheCreation5m, cacheCreation1h } = usage;
      return {
        turn: index + 1,
        isSidechain,
        at,
        usage,
        text,
        ms: at === null || next === null ? null : Math.max(0, next - at),
        processingTokens: input + output + cacheCreation5m + cacheCreation1h,
        calls: [...calls],
      };
    }),
    changes: changes.map(({ path, text }) => ({ path, isRemoved: text === null })),
    checkOutput,
  };
}
