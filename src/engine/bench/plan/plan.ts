import type { Provenance } from "../../usage/provenance.ts";
import type { DriverName } from "../run-facts.ts";

/** What one run of an agent's tasks is expected to spend, and who says so. */
export interface ExpectedTokens {
  /** Processing tokens: input, output and cache creation. */
  readonly perRun: number;
  readonly cacheReadPerRun: number;
  /** Standard deviation over runs of one task and configuration, as a share of `perRun`. */
  readonly spread: number;
  readonly source: Provenance;
  /** `your last 24 runs`, `documented`, `recording (script)`. */
  readonly because: string;
}

/** What a bench would do, before anything is spent. */
export interface BenchPlan {
  readonly driver: DriverName;
  /** How the recordings were made, where runs are replayed: free, and no measurement of a model. */
  readonly recordedBy: readonly string[];
  readonly runs: number;
  /** Runs that are made already, where it is resumed. */
  readonly made: number;
  /** Processing tokens of the runs that are left; 0 where they are replayed. */
  readonly tokens: number;
  readonly cacheReadTokens: number;
  /** USD by list price, or null where nobody knows. */
  readonly usd: number | null;
  readonly expected: ExpectedTokens;
  /** The smallest saving it can tell from noise: processing tokens a run; null with one configuration. */
  readonly smallestSaving: number | null;
  readonly tokenCap: number | null;
  /** What benches took of the last seven days' real work, this plan included; null where there was none. */
  readonly metaCost: MetaCost | null;
  readonly warnings: readonly string[];
}

/** Processing tokens of the last seven days. */
export interface MetaCost {
  readonly realWork: number;
  readonly benches: number;
  /** Benches, this plan included, as a share of real work: 0.1 is 10 %. */
  readonly share: number;
}
