import { seededRandom } from "../../engine/support/seeded-random.ts";

/**
 * Worlds of benchmark runs as an outside review used them to judge the verdicts.
 *
 * `issue`: noise 0.3, a drift of 0.1 between rounds, 6 % retries, 93 % passes, four tasks of 71k tokens in the mean.
 *
 * `harsh`: noise with heavy tails (Student's t with 4 degrees of freedom and a deviation of 0.33, different for each task), 8 %
 * retries of 1.3 to 2.6 times, 2 % of runs astray by 2 to 10 times, 90 % passes with one task at 80 %, dear runs that
 * fail more often, a cold cache of 12 % for the first run of a pair, a drift that follows itself and a trend, noise that
 * the two runs of a pair share, 2 % of runs lost, and effects that differ by task.
 *
 * The sizes of the tasks are drawn anew for each seed.
 */
export type WorldName = "issue" | "harsh";

export interface SuiteWorld {
  readonly tasks: readonly WorldTask[];
  /** Share of all tokens that each rule truly saves alone; negative when it costs. */
  readonly saves: readonly number[];
  run(asked: AskedRun): WorldRun;
}

interface WorldTask {
  /** Median tokens of a completed run without any rule. */
  readonly tokens: number;
  /** Standard deviation of the logarithm of a run. */
  readonly noise: number;
  readonly passes: number;
  /** By rule: what it saves here, as a multiple of what it saves of all tokens. */
  readonly effects: readonly number[];
}

interface AskedRun {
  readonly round: number;
  /** Place among the tasks. */
  readonly task: number;
  /** Whether it is the first run of this task in this round. */
  readonly isFirst: boolean;
  /** Places of the rules that the run has. */
  readonly rules: readonly number[];
  /** What each rule saves now, where it is no longer what the world began with. */
  readonly saves?: readonly number[];
  /** Share of further runs that fail, for example since a rule makes the agent careless. */
  readonly breaks?: number;
}

interface WorldRun {
  readonly tokens: number;
  readonly passed: boolean;
  /** Lost to a quota: no evidence, and its tokens are spent. */
  readonly isLost: boolean;
}

export interface WorldAsked {
  readonly name: WorldName;
  /** Share of all tokens that each rule truly saves. */
  readonly saves: readonly number[];
  /** Number of tasks. */
  readonly tasks?: number;
  /** Replaces the noise of 0.3, or 0.33. */
  readonly noise?: number;
}

const meanTokens = 71_000;
/** Rounds over which the harsh world's trend runs its course. */
const trendRounds = 40;

/** The seed decides everything. The runs of a world depend on the order in which they are asked for. */
export function makeSuiteWorld(
  { name, saves, tasks: count = 4, noise }: WorldAsked,
  seed: number,
): SuiteWorld {
  const isHarsh = name === "harsh";
  const nature = seededRandom(seed * 1_000_003 + 101);
  const sizes = Array.from({ length: count }, () => Math.exp(0.5 * nature.normal()));
  const scale = (meanTokens * count) / sumOf(sizes);
  const scales = sizes.map(() => (isHarsh ? 0.7 + 0.6 * nature.next() : 1));
  const effects = saves.map(() => effectsOf(sizes, isHarsh ? nature : null));
  const flaky = nature.below(count);
  const tasks = sizes.map((size, index): WorldTask => ({
    tokens: size * scale,
    noise: (noise ?? (isHarsh ? 0.33 : 0.3)) * (scales[index] ?? 1),
    passes: !isHarsh ? 0.93 : index === flaky ? 0.8 : 1 - (0.4 - 0.2) / 3,
    effects: effects.map((own) => own[index] ?? 1),
  }));
  const luck = seededRandom(seed * 1_000_003 + 202);
  const levels = isHarsh ? harshLevels(seed) : plainLevels(seed);
  const shared = new Map<string, number>();
  const sharedBy = (round: number, task: number) => {
    const key = `${round} ${task}`;
    if (!shared.has(key)) shared.set(key, 0.15 * luck.normal());
    return shared.get(key) ?? 0;
  };
  return {
    tasks,
    saves,
    run: ({ round, task: place, isFirst, rules, saves: now = saves, breaks = 0 }) => {
      const task = tasks[place];
      if (task === undefined) throw new Error(`there is no task ${place}`);
      const effect = rules.reduce(
        (sum, rule) => sum + Math.log(1 - (now[rule] ?? 0) * (task.effects[rule] ?? 1)),
        0,
      );
      const noisy = isHarsh ? studentT(luck, 4) : luck.normal();
      const level = levels(round) + effect + (isHarsh ? sharedBy(round, place) : 0);
      const retry = luck.next() < (isHarsh ? 0.08 : 0.06);
      const retried = retry ? (isHarsh ? 1.3 + 1.3 * luck.next() : 1.4 + 0.6 * luck.next()) : 1;
      const astray = isHarsh && luck.next() < 0.02 ? 2 * 5 ** luck.next() : 1;
      const cold = isHarsh && isFirst ? 1.12 : 1;
      const tokens = task.tokens * Math.exp(level + task.noise * noisy) * retried * astray * cold;
      // A run that is dear by two deviations fails a good tenth more often, a cheap one less.
      const dearer = isHarsh ? 0.06 * Math.max(-1, Math.min(3, noisy)) : 0;
      const passes = Math.min(1, task.passes - dearer) * (1 - breaks);
      return {
        tokens: Math.max(1, Math.round(tokens)),
        passed: luck.next() < passes,
        isLost: isHarsh && luck.next() < 0.02,
      };
    },
  };
}

/** Multiples whose mean, weighed by the tasks' tokens, is 1. */
function effectsOf(sizes: readonly number[], nature: ReturnType<typeof seededRandom> | null): number[] {
  if (nature === null) return sizes.map(() => 1);
  const raw = sizes.map(() => 0.4 + 1.2 * nature.next());
  const mean = sumOf(raw.map((each, index) => each * (sizes[index] ?? 0))) / sumOf(sizes);
  return raw.map((each) => each / mean);
}

function plainLevels(seed: number): (round: number) => number {
  const weather = seededRandom(seed * 1_000_003 + 303);
  const levels: number[] = [];
  return (round) => {
    while (levels.length <= round) levels.push(0.1 * weather.normal());
    return levels[round] ?? 0;
  };
}

/** An autoregressive drift (AR(1), 0.7 of the round before), with a standard deviation of 0.1, and a trend. */
function harshLevels(seed: number): (round: number) => number {
  const weather = seededRandom(seed * 1_000_003 + 303);
  const slope = (0.2 * (2 * weather.next() - 1)) / trendRounds;
  const levels = [0.1 * weather.normal()];
  return (round) => {
    while (levels.length <= round)
      levels.push(0.7 * (levels.at(-1) ?? 0) + 0.1 * Math.sqrt(1 - 0.7 ** 2) * weather.normal());
    return (levels[round] ?? 0) + slope * Math.min(round, 2 * trendRounds);
  };
}

/** With a standard deviation of 1. */
function studentT(luck: ReturnType<typeof seededRandom>, freedom: number): number {
  let squares = 0;
  for (let index = 0; index < freedom; index += 1) squares += luck.normal() ** 2;
  return (luck.normal() / Math.sqrt(squares / freedom)) * Math.sqrt((freedom - 2) / freedom);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
