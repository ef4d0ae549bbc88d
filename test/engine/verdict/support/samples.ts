import type { SeededRandom } from "../../support/seeded-random.ts";
import type { Question, RunSample } from "../../../../src/engine/verdict/verdict.ts";

export const question: Question = {
  bar: 0,
  alpha: 0.05,
  maxRounds: 20,
  plannedRounds: 12,
  tokenCap: null,
  kind: "comparison",
};

/** Rounds of synthetic runs: heavy-tailed, the second side cheaper by `saves`. */
export interface MadeRounds {
  readonly random: SeededRandom;
  readonly tasks: number;
  readonly rounds: number;
  readonly saves?: number;
  /** Standard deviation of the logarithm of a run's cost. */
  readonly spread?: number;
  /** Share of runs that cost several times as much. */
  readonly astray?: number;
  readonly passes?: readonly [number, number];
}

export function makeRounds(made: MadeRounds): RunSample[] {
  const { random, tasks, rounds, saves = 0, spread = 0.3, astray = 0.05, passes = [1, 1] } = made;
  const sizes = Array.from({ length: tasks }, () => 50_000 * Math.exp(0.3 * random.normal()));
  const samples: RunSample[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const [index, size] of sizes.entries())
      for (const side of [0, 1] as const) {
        const stray = random.next() < astray ? 2 - Math.log(1 - random.next()) : 1;
        const tokens = size * Math.exp(spread * random.normal()) * stray * (side === 1 ? 1 - saves : 1);
        const passed = random.next() < passes[side];
        samples.push({
          taskId: `task-${index}`,
          weight: 1,
          side,
          round,
          tokens: Math.round(tokens),
          passed,
        });
      }
  return samples;
}

/** Rounds without randomness: every run of a task costs the same and passes. */
export function steadyRounds(tasks: number, rounds: number, tokens: readonly [number, number]): RunSample[] {
  return Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: tasks }, (__, task) =>
      ([0, 1] as const).map((side) => ({
        taskId: `task-${task}`,
        weight: 1,
        side,
        round: round + 1,
        tokens: tokens[side],
        passed: true,
      })),
    ).flat(),
  ).flat();
}

/**
 * Upper bound of a measured share that noise explains in all but one of some thousand cases: 3.5 standard errors of a
 * binomial share.
 */
export function atMost(share: number, draws: number): number {
  return share + 3.5 * Math.sqrt((share * (1 - share)) / draws);
}
