import type { Sentence } from "../base/text/sentence.ts";
import type { Failure, Result } from "../base/result.ts";
import type { ActiveMemories } from "../bench/current-configuration.ts";
import type { BenchProgress, PauseReason } from "../bench/bench-progress.ts";
import type { BenchPlan } from "../bench/plan/plan.ts";
import type { AnyOrder, BenchChoices, JobOrder, JobOutline } from "./answers/bench.ts";
import type { CompareView } from "./answers/compare.ts";
import type { WakePlanView } from "../recurring/answers.ts";
import type { SelectView } from "./answers/select.ts";
import type { WakeAsk, WakeProgress } from "./answers/wake.ts";

/** The part of a client's environment that agents need for their runs. */
export type ClientEnvironment = Readonly<Record<string, string>>;

/** Last reported state of a resumed job, from any process: none of its work is done or paid for again. */
export interface ResumeState {
  readonly selection?: SelectView | undefined;
  readonly comparison?: CompareView | undefined;
}

export interface WorkOrder extends ResumeState {
  readonly id: string;
  readonly ask: AnyOrder;
  readonly env: ClientEnvironment;
  readonly memories: ActiveMemories;
  /** The folder with the budgets that apply, or null. */
  readonly project: string | null;
}

export interface PlanOrder extends Pick<WorkOrder, "env" | "memories"> {
  readonly ask: JobOrder;
}

/** How a job's work ended. */
export type WorkEnd =
  | { readonly kind: "done" }
  | { readonly kind: "paused"; readonly reason: PauseReason; readonly detail: Sentence }
  | { readonly kind: "cancelled" };

/** Progress of a job's work. */
export type JobEvent =
  | BenchProgress
  | { readonly kind: "outline"; readonly outline: JobOutline }
  /** The whole state, each time a part of it changed. */
  | { readonly kind: "selection"; readonly selection: SelectView }
  | { readonly kind: "comparison"; readonly comparison: CompareView }
  | { readonly kind: "wake"; readonly wake: WakeProgress };

/**
 * `gone`: the process doing the work ended before its answer. `failed`: not possible; the detail has the
 * reason.
 */
export type WorkFailure = "gone" | "failed" | "cancelled";

/** Plans and runs benches outside the service, which only sends requests and receives progress. */
export interface JobExecutor {
  choices(
    asked: { readonly workspace: string | null; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<BenchChoices, WorkFailure>>;
  plan(order: PlanOrder, signal: AbortSignal): Promise<Result<BenchPlan, WorkFailure>>;
  planWake(
    order: { readonly ask: WakeAsk; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<WakePlanView, WorkFailure>>;
  /** Resolves when the work has ended; after an abort, as soon as its runs have ended. */
  run(
    order: WorkOrder,
    onEvent: (event: JobEvent) => void,
    signal: AbortSignal,
  ): Promise<Result<WorkEnd, WorkFailure>>;
  /** Ends the runner and its runs. */
  close(): Promise<void>;
}

export type WorkFailed = Failure<WorkFailure>;
