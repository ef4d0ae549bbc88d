import { seededRandom } from "../../engine/support/seeded-random.ts";

/**
 * A synthetic world of benchmark runs, modelled on published ones: runs of one task and configuration differ by more than a quarter,
 * some go astray, some fail, days differ, and costs drift while a bench runs. A run's luck depends only on the trial, the day, the
 * side, the task and its number, so that two procedures that request the same run get the same result.
 */
export interface World {
  readonly tasks: readonly WorldTask[];
  run(asked: AskedRun): { readonly tokens: number; readonly passed: boolean };
}

interface WorldTask {
  readonly id: string;
  /** Median processing tokens. */
  readonly median: number;
  /** Standard deviation of the logarithm. */
  readonly spread: number;
  readonly passes: number;
  /** Share of this task's tokens that the rule saves. */
  readonly saves: number;
}

interface AskedRun {
  readonly day: number;
  readonly task: number;
  readonly withRule: boolean;
  /** Ordinal of the run for this task and side on this day. */
  readonly number: number;
  /** Earlier runs of the same day: costs drift with them. */
  readonly before: number;
}

export interface WorldShape {
  readonly tasks: number;
  /** Average share of tokens that the rule truly saves; negative when it costs. */
  readonly saves: number;
  readonly meanTokens: number;
  /** Range of the tasks' spreads. */
  readonly spread: readonly [number, number];
  /** Share of runs that go astray and take 1.5 to several times as much. */
  readonly astray: number;
  /** Pass rate of the flakiest task; the others lie between it and 1. */
  readonly passes: number;
  /** Standard deviations of the logarithm: from day to day, and over a day with twelve runs per task. */
  readonly drift: readonly [number, number];
}

/**
 * Published means and spreads of a suite of database tasks: 47k tokens a run, 20 to 30 % variation between runs, some far astray.
 */
export const usualShape: WorldShape = {
  tasks: 5,
  saves: 0,
  meanTokens: 47_000,
  spread: [0.1, 0.3],
  astray: 0.03,
  passes: 0.95,
  drift: [0.06, 0.04],
};

export function makeWorld(shape: WorldShape, seed: number): World {
  const nature = seededRandom(seed * 1009 + 17);
  const effects = Array.from({ length: shape.tasks }, () => 0.5 + nature.next());
  const mean = effects.reduce((sum, effect) => sum + effect, 0) / shape.tasks;
  const tasks = effects.map((effect, index) => ({
    id: `task-${index + 1}`,
    median: shape.meanTokens * Math.exp(0.3 * nature.normal()),
    spread: between(shape.spread, nature.next()),
    passes: between([shape.passes, 1], nature.next()),
    saves: shape.saves * (effect / mean),
  }));
  return { tasks, run: (asked) => runOnce(tasks[asked.task], asked, shape, seed) };
}

function runOnce(
  task: WorldTask | undefined,
  { day, task: index, withRule, number, before }: AskedRun,
  { astray, drift, tasks }: WorldShape,
  seed: number,
): { tokens: number; passed: boolean } {
  if (task === undefined) return { tokens: 0, passed: false };
  const weather = seededRandom(seed * 7919 + day * 104_729 + 5);
  const level =
    drift[0] * weather.normal() + drift[1] * weather.normal() * Math.min(2, before / (12 * tasks));
  const luck = seededRandom((((seed * 64 + day) * 32 + index) * 2 + (withRule ? 1 : 0)) * 256 + number);
  const stray = luck.next() < astray ? 1.5 - Math.log(1 - luck.next()) : 1;
  const tokens = task.median * Math.exp(level + task.spread * luck.normal()) * stray;
  return {
    tokens: Math.round(tokens * (withRule ? 1 - task.saves : 1)),
    passed: luck.next() < task.passes,
  };
}

function between([low, high]: readonly [number, number], share: number): number {
  return low + (high - low) * share;
}
