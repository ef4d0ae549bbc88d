import type { Sentence } from "../../base/text/sentence.ts";
import type { Provenance } from "../../usage/provenance.ts";
import type { DriverName } from "../run-facts.ts";

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

/** Plan of a bench, made before anything is spent. */
export interface BenchPlan {
  readonly driver: DriverName;
  /**
   * How the replayed recordings were made; a replay is free, and measures no model. Empty unless runs are
   * replayed.
   */
  readonly recordedBy: readonly string[];
  readonly runs: number;
  /** Runs already made when the bench is resumed. */
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

/** Processing tokens of the last seven days. */
export interface MetaCost {
  readonly realWork: number;
  readonly benches: number;
  /** Benches, this plan included, as a share of real work: 0.1 is 10 %. */
  readonly share: number;
}
