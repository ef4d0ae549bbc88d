import type { RunLimits } from "./run-limits.ts";
import type { Clock } from "../base/timing/clock.ts";
import type { Machine } from "../base/process/machine.ts";
import type { Result } from "../base/result.ts";
import type { BenchProgress, PauseReason } from "./progress.ts";
import type { BenchRun, DriverName } from "./run-facts.ts";
import type { Configuration } from "./configuration.ts";
import type { Driver } from "./drivers/driver.ts";
import type { ExpectedTokens, MetaCost } from "./plan/plan.ts";
import type { Fixture, Suite } from "./suite/suite.ts";

/** `index` from 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** What a bench is asked to measure. */
export interface BenchRequest {
  /** Its folder's name: letters, digits, `.`, `_` and `-`. A bench of the same id goes on where it stopped. */
  readonly id: string;
  readonly suite: Suite;
  /** One for each side. Configurations of several agents may be in one bench: each is run with its own agent's tasks. */
  readonly configurations: readonly Configuration[];
  /** Tasks of the suite by id; those of an agent that no configuration has are not run. */
  readonly taskIds: readonly string[];
  /** Rounds: how often each task is run with each configuration. */
  readonly runs: number;
  readonly driver: DriverName;
  /** A whole number; the order of runs follows from it. */
  readonly seed: number;
  /** Runs at a time. */
  readonly parallel: number;
  /** Processing tokens that the bench may spend; null for no cap. No run is begun that is expected to pass it. */
  readonly tokenCap: number | null;
  readonly shard: Shard | null;
  readonly limits?: Partial<RunLimits>;
}

/** Whether a budget lets a run be made, asked before each that spends. */
export type MayRun = (planned: {
  readonly benchId: string;
  readonly runId: string;
  readonly agent: string;
  readonly model: string;
  /** Processing tokens it is expected to use. */
  readonly tokens: number;
}) => Promise<{ readonly allowed: true } | { readonly allowed: false; readonly detail: string }>;

/** What a bench tells the ledger of one run, and what it asks of it; handed in, since the ledger is a process's own. */
export interface BenchBook {
  /** Resolves when the run, and what it changes of its baseline, is written. Told twice it is one run. */
  record(run: BenchRun, taskTitle: string): Promise<void>;
  /** What runs of these tasks used before with this model; null where there were none. */
  expected(asked: {
    readonly agent: string;
    readonly model: string;
    readonly suiteHash: string;
    readonly driver: DriverName;
  }): Promise<ExpectedTokens | null>;
  /** Processing tokens of the last seven days; null where nobody knows. */
  week(): Promise<Omit<MetaCost, "share"> | null>;
}

/** What a bench needs of the world. */
export interface BenchPorts {
  readonly clock: Clock;
  readonly pid: number;
  readonly machine: Machine;
  /** A word no other process or call uses. */
  readonly unique: () => string;
  /** Where benches keep their state: `bench` in purser's home. */
  readonly folder: string;
  /** Where copies of the fixture are made: the system's temporary folder. */
  readonly scratch: string;
  /** Of the request's name. */
  readonly driver: Driver;
  /** The folder of a fixture's installed packages, which every copy links; null where it has none. Asked once, before the first run. */
  readonly modules: (fixture: Fixture, signal: AbortSignal) => Promise<Result<string | null>>;
  readonly book: BenchBook;
  readonly mayRun: MayRun;
  /** What a check's command may see of the environment: PATH and the like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** USD of that many processing tokens and cache reads of a model, or null. */
  readonly price: (model: string, tokens: { processing: number; cacheRead: number }) => number | null;
}

/** Two completed runs of one task and configuration that differ by more than a quarter. Processing tokens. */
export interface UnsteadyRuns {
  readonly side: number;
  readonly taskId: string;
  readonly least: number;
  readonly most: number;
}

/** How a bench, or a round of it, ended. */
export interface BenchOutcome {
  readonly id: string;
  readonly state:
    | { readonly kind: "done" }
    | { readonly kind: "paused"; readonly reason: PauseReason; readonly detail: string }
    | { readonly kind: "cancelled" };
  /** Every run that is made, in the order of the schedule, also those that are no evidence. */
  readonly runs: readonly BenchRun[];
  /** Runs of the whole schedule. */
  readonly planned: number;
  readonly unsteady: readonly UnsteadyRuns[];
}

export type OnProgress = (progress: BenchProgress) => void;

/**
 * The two ways to run (`run-bench.ts`). Both keep their state in the bench's folder: asked again with the same request, they go on
 * where they stopped, and no run counts twice. They fail when the folder has another request's bench.
 *
 * `runBench(request, ports, signal, onProgress): Promise<Result<BenchOutcome, BenchFault>>`
 * `runRound({ request, round }, ports, signal, onProgress): Promise<Result<BenchOutcome, BenchFault>>`: one round of an experiment:
 * each task once a side, interleaved. `round` from 1; it may be larger than the request's `runs`.
 */
export type BenchFault = "in_use" | "other_request" | "damaged" | "suite_changed" | "bad_request";
