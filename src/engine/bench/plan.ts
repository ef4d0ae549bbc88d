import { sentence, type Sentence, plural } from "../base/language.ts";
import { wholeNumber } from "../base/format.ts";
import type { Provenance } from "../usage/token-counts.ts";
import type { DriverName } from "./run-facts.ts";
import { groupBy, mean, median } from "../base/numbers.ts";
import type { GoldenRun } from "../ledger/rule-questions.ts";

/**
 * Describes in a sentence or two what a replay is worth.
 * @param recordedBy how its recordings were made: models' names, or `script`
 */
export function describeReplay(recordedBy: readonly string[]): Sentence {
  const models = recordedBy.filter((by) => by !== "script");
  return models.length === 0
    ? sentence("Demo: replays a recording. It says nothing about a model.")
    : sentence(
        "Demo: replays recordings of {0}. It says nothing about a model as it is now.",
        models.join(", "),
      );
}

export function describeInstall({ packages }: PlannedInstall): Sentence {
  if (packages === null)
    return sentence(
      "Before the first run, npm downloads the packages that the tasks' project needs from its registry, and they are kept for later benchmarks.",
    );
  return plural(
    packages,
    sentence(
      "Before the first run, npm downloads up to 1 package that the tasks' project needs from its registry, and they are kept for later benchmarks.",
    ),
    sentence(
      "Before the first run, npm downloads up to {0} packages that the tasks' project needs from its registry, and they are kept for later benchmarks.",
      wholeNumber(packages),
    ),
  );
}

// The design of several arms: changes of one configuration, compared with the same runs of the unchanged one.
// The unchanged one runs more often than an arm, since each of its runs counts for every arm. √k times for k
// arms is optimal (Dunnett 1955).

/** Maximum arms per comparison: with more arms, each must show more. */
export const maxArms = 8;

/** Returns how many of the configurations are the unchanged one: the maximum of its runs at one place. */
export function controlsOf(arms: number): number {
  return Math.ceil(Math.sqrt(arms));
}

/** Returns how many of a design's configurations, the first ones, are the unchanged one. */
export function controlsFor(configurations: number): number {
  let arms = 1;
  while (arms + controlsOf(arms) < configurations) arms += 1;
  return configurations - arms;
}

/**
 * Returns the runs of the unchanged configuration in one round of one task: √arms of them on average, spread as evenly as
 * whole numbers can be (Beatty's sequence).
 * @param about.arms that are left
 * @param about.place of the round of the task, counted over all tasks and rounds
 * @param about.start of the sequence, from 0 to 1
 */
export function controlsAt({
  arms,
  place,
  start,
}: {
  readonly arms: number;
  readonly place: number;
  readonly start: number;
}): number {
  const root = Math.sqrt(arms);
  return Math.floor((place + 1) * root + start) - Math.floor(place * root + start);
}

/** Expected tokens of one run of an agent's tasks, and the source of the figure. */
export interface ExpectedTokens {
  /** Processing tokens: input, output and cache creation. */
  readonly perRun: number;
  readonly cacheReadPerRun: number;
  /** Standard deviation over runs of one task and configuration, as a share of `perRun`. */
  readonly spread: number;
  readonly source: Provenance;
  /** `your last 24 runs`, `documented`, `recording (script)`. */
  readonly because: Sentence;
}

/**
 * Expected tokens of a run of a small task without any history: the cheapest reported runs of golden tasks
 * take some 34,000 processing tokens, and runs of one task commonly differ by a third. Labelled as an
 * estimate.
 */
export const typicalRun: ExpectedTokens = {
  perRun: 60_000,
  cacheReadPerRun: 500_000,
  spread: 0.35,
  source: "estimated",
  because: sentence("no runs of these tasks yet, so a typical value"),
};

export interface BenchPlan {
  readonly driver: DriverName;
  /**
   * How the replayed recordings were made; a replay is free, and measures no model. Empty unless runs are
   * replayed.
   */
  readonly recordedBy: readonly string[];
  readonly runs: number;
  readonly made: number;
  /** Processing tokens of the remaining runs; 0 for a replay. */
  readonly tokens: number;
  readonly cacheReadTokens: number;
  /** USD by list price, or null if unknown. */
  readonly usd: number | null;
  readonly expected: ExpectedTokens;
  /**
   * The smallest saving that can be distinguished from noise, in processing tokens per run. Null with one
   * configuration.
   */
  readonly smallestSaving: number | null;
  readonly tokenCap: number | null;
  /** Share of benches, this plan included, in the last seven days' real work; null if there was none. */
  readonly metaCost: MetaCost | null;
  readonly warnings: readonly Sentence[];
  /** Packages of the tasks' project to be installed before the first run; null if none are. */
  readonly install: PlannedInstall | null;
}

/** Packages that npm downloads from its registry, once for each lock file. */
export interface PlannedInstall {
  /** Maximum number of packages, since some are for other systems. Null if unknown. */
  readonly packages: number | null;
}

export interface MetaCost {
  readonly realWork: number;
  readonly benches: number;
  /** Benches, this plan included, as a share of real work: 0.1 is 10 %. */
  readonly share: number;
}

/** Minimum runs for an estimate. */
const minRuns = 3;

/** Maximum runs, the newest: older ones do not show how the agent works now. */
const newestRuns = 200;

/** Used when no task was run twice: runs of one task commonly differ by a third. */
const usualSpread = 0.35;

/**
 * Returns what an agent's runs of a suite are expected to take, from past runs; null if there were too few.
 * @param runs the newest first
 */
export function expectedFromRuns(
  runs: readonly GoldenRun[],
  asked: Pick<GoldenRun, "agent" | "model" | "suiteHash" | "driver">,
): ExpectedTokens | null {
  const own = runs
    .filter(
      ({ agent, model, suiteHash, driver }) =>
        agent === asked.agent &&
        model === asked.model &&
        suiteHash === asked.suiteHash &&
        driver === asked.driver,
    )
    .slice(0, newestRuns);
  if (own.length < minRuns) return null;
  const perRun = mean(own.map(({ processingTokens }) => processingTokens));
  return {
    perRun,
    cacheReadPerRun: mean(own.map(({ cacheRead }) => cacheRead)),
    spread: perRun === 0 ? usualSpread : (spreadWithin(own) ?? usualSpread),
    source: "measured",
    because: sentence("your last {0} runs of {1}", own.length, asked.agent),
  };
}

export function hasOwnSpread({ source, spread }: Pick<ExpectedTokens, "source" | "spread">): boolean {
  return source === "measured" && Math.abs(spread - usualSpread) > 1e-9;
}

/** The same as a share of the mean, as runs with such logarithms vary. */
function spreadWithin(runs: readonly GoldenRun[]): number | null {
  const deviation = deviationWithin(runs);
  return deviation === null ? null : Math.sqrt(Math.expm1(deviation ** 2));
}

/**
 * Returns the deviation of the logarithms of tokens within runs of the same task and configuration, by their median
 * absolute deviation: a run gone astray would double a plain one, and verdicts bound such runs. Null if none was run twice.
 */
function deviationWithin(runs: readonly GoldenRun[]): number | null {
  const groups = groupBy(runs, ({ taskId, configurationHash }) => `${taskId}\n${configurationHash}`);
  const distances: number[] = [];
  let freedom = 0;
  for (const group of groups.values()) {
    const logs = group.map(({ processingTokens }) => Math.log(Math.max(1, processingTokens)));
    const center = median(logs);
    if (logs.length > 1) distances.push(...logs.map((log) => Math.abs(log - center)));
    freedom += logs.length - 1;
  }
  if (freedom === 0) return null;
  // Each group's own centre takes a part of its distances.
  return normalScale * median(distances) * Math.sqrt(distances.length / freedom);
}

/** Median absolute deviation to standard deviation, for a normal distribution. */
const normalScale = 1.4826;
