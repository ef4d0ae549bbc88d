import { type RunLimits } from "./drivers/driver.ts";
import type { Sentence } from "../base/language.ts";
import type { Clock } from "../base/timing.ts";
import type { Machine } from "../base/process.ts";
import type { Result } from "../base/result.ts";
import type { BenchProgress, PauseReason } from "./bench-entries.ts";
import type { BenchRun, DriverName } from "./run-facts.ts";
import { type Configuration, configurationHash } from "./configuration.ts";
import type { Driver } from "./drivers/driver.ts";
import type { Processors } from "./execute/processors.ts";
import type { ExpectedTokens, MetaCost, PlannedInstall } from "./plan.ts";
import { type Fixture, type Suite, suiteHash } from "./suite/suite.ts";
import { sha256Hex } from "../base/hash.ts";

/** `index` from 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export interface BenchRequest {
  /** The bench's folder name: letters, digits, `.`, `_` and `-`. A bench with an existing id resumes where it stopped. */
  readonly id: string;
  readonly suite: Suite;
  /** One for each side. A bench may mix agents: each configuration runs its own agent's tasks. */
  readonly configurations: readonly Configuration[];
  /** Ids of tasks in the suite; tasks of agents without a configuration are not run. */
  readonly taskIds: readonly string[];
  readonly runs: number;
  readonly driver: DriverName;
  /** A whole number that determines the order of runs. */
  readonly seed: number;
  readonly parallel: number;
  /** Processing tokens that the bench may spend; null for no cap. A run that is expected to exceed it is not started. */
  readonly tokenCap: number | null;
  readonly shard: Shard | null;
  /**
   * `pairs`: configurations come in pairs, 0 and 1, 2 and 3, …, and each task runs one pair per round, dealt
   * so that all pairs come equally often. `arms`: the first configurations are all the unchanged one, and the
   * others are compared with it (`plan.ts`). Absent: each task runs every configuration of its agent.
   */
  readonly design?: "pairs" | "arms";
  readonly limits?: Partial<RunLimits>;
}

export type MayRun = (planned: {
  readonly benchId: string;
  readonly runId: string;
  readonly agent: string;
  readonly model: string;
  /** Processing tokens it is expected to use. */
  readonly tokens: number;
}) => Promise<{ readonly allowed: true } | { readonly allowed: false; readonly detail: Sentence }>;

/** The bench's access to the ledger: records runs and reads what earlier ones used. Injected, since each process has its own ledger. */
export interface RunRecorder {
  /** Resolves when the run and its baseline change are written. Recording a run twice stores it once. */
  record(run: BenchRun, taskTitle: string): Promise<void>;
  /** Usage of earlier runs of these tasks with this model. Null if there were none. */
  expected(asked: {
    readonly agent: string;
    readonly model: string;
    readonly suiteHash: string;
    readonly driver: DriverName;
  }): Promise<ExpectedTokens | null>;
  /** Processing tokens of the last seven days; null if unknown. */
  week(): Promise<Omit<MetaCost, "share"> | null>;
}

export interface BenchPorts {
  readonly clock: Clock;
  readonly pid: number;
  readonly machine: Machine;
  /** Returns a word that no other process or call uses. */
  readonly unique: () => string;
  /** Folder of the benches' state: `bench` in purser's home. */
  readonly folder: string;
  /** Folder for copies of the fixture: the system's temporary folder. */
  readonly scratch: string;
  readonly driver: Driver;
  /**
   * Returns the folder of a fixture's installed packages, which every copy links; null if it has none. Called once, before the first
   * run.
   */
  readonly modules: (
    fixture: Fixture,
    signal: AbortSignal,
    onProgress: (progress: { readonly fetched: number; readonly packages: number }) => void,
  ) => Promise<Result<string | null>>;
  /** Returns the packages that `modules` would install now; null if none. */
  readonly pendingInstall: (fixture: Fixture) => Promise<PlannedInstall | null>;
  readonly recorder: RunRecorder;
  readonly mayRun: MayRun;
  /** All but the first of several simultaneous runs wait for this load. Default: the load of this machine. */
  readonly processors?: Processors;
  /** The environment a check's command may see: PATH and the like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** USD for that many processing tokens and cache reads of a model, or null. */
  readonly price: (model: string, tokens: { processing: number; cacheRead: number }) => number | null;
}

export type PlanPorts = Pick<BenchPorts, "driver" | "recorder" | "price" | "pendingInstall">;

/** Two completed runs of one task and configuration that differ by more than a quarter. Processing tokens. */
export interface UnsteadyRuns {
  readonly side: number;
  readonly taskId: string;
  readonly minimum: number;
  readonly maximum: number;
}

export interface BenchOutcome {
  readonly id: string;
  readonly state:
    | { readonly kind: "done" }
    | { readonly kind: "paused"; readonly reason: PauseReason; readonly detail: Sentence }
    | { readonly kind: "cancelled" };
  /** Every run made so far, in the order of the schedule, including those that are not evidence. */
  readonly runs: readonly BenchRun[];
  readonly planned: number;
  readonly unsteady: readonly UnsteadyRuns[];
}

export type OnProgress = (progress: BenchProgress) => void;

/**
 * Errors of the two ways to run (`run-bench.ts`). Both keep their state in the bench's folder: called again with the same request, they
 * resume where they stopped, and no run counts twice. They fail if the folder holds the bench of another request.
 *
 * `runBench(request, ports, signal, onProgress): Promise<Result<BenchOutcome, BenchFault>>`
 * `runRound({ request, round }, ports, signal, onProgress): Promise<Result<BenchOutcome, BenchFault>>`: one round of an experiment:
 * each task once a side, interleaved. `round` from 1; it may be larger than the request's `runs`.
 */
export type BenchFault = "in_use" | "other_request" | "damaged" | "suite_changed" | "bad_request";

/** Form of a bench's id: a valid folder name on any system. */
const benchIdForm = /^[A-Za-z0-9_][\w.-]{0,99}$/u;

export function isBenchId(id: string): boolean {
  return benchIdForm.test(id) && !id.endsWith(".");
}

type Asked = Pick<BenchRequest, "suite" | "configurations" | "taskIds" | "driver" | "seed" | "design">;

/**
 * Hashes what is measured and in which order: equal for all shards of a bench, and different if anything that
 * decides a run's outcome changes.
 */
export function requestHash({ suite, configurations, taskIds, driver, seed, design }: Asked): string {
  const agents = [...new Set(configurations.map(({ agent }) => agent))].sort();
  return sha256Hex(
    JSON.stringify([
      agents.map((agent) => [
        agent,
        suiteHash(suite, agent),
        suite.agents.find(({ name }) => name === agent)?.hash ?? null,
      ]),
      configurations.map(configurationHash),
      [...taskIds].sort(),
      driver,
      seed,
      // Absent in benches from before designs.
      ...(design === undefined ? [] : [design]),
    ]),
  );
}

export function benchFolderName(id: string, shard: Shard | null): string {
  return shard === null ? id : `${id}.${shard.index}of${shard.of}`;
}
