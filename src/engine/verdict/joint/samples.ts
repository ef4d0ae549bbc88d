import type { RunSample } from "../verdict.ts";

/** One run of a round in which several rules are measured. */
export interface JointRun extends Omit<RunSample, "side" | "together"> {
  /** Ids of the rules under trial that the run had. */
  readonly rules: readonly string[];
}

/** Returns the runs as samples of one rule: with it or without, each with its other rules. */
export function samplesOf(rule: string, runs: readonly JointRun[]): RunSample[] {
  return runs.map(({ rules, ...run }) => ({
    ...run,
    side: rules.includes(rule) ? 1 : 0,
    together: rules.filter((other) => other !== rule),
  }));
}
