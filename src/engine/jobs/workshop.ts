import type { Failure, Result } from "../base/result.ts";
import type { ActiveMemories } from "../bench/as-it-is.ts";
import type { BenchProgress, PauseReason } from "../bench/progress.ts";
import type { BenchPlan } from "../bench/plan/plan.ts";
import type { BenchChoices, JobAsk, JobOutline } from "./answers/bench.ts";
import type { CompareView } from "./answers/compare.ts";
import type { SelectView } from "./answers/select.ts";

/** What an agent is run with needs of a client's environment. */
export type ClientEnvironment = Readonly<Record<string, string>>;

/** What a job of these kinds told when it was begun before, in any process: none of it is done or spent again. */
export interface ToldBefore {
  readonly selection?: SelectView | undefined;
  readonly comparison?: CompareView | undefined;
}

export interface WorkOrder extends ToldBefore {
  readonly id: string;
  readonly ask: JobAsk;
  readonly env: ClientEnvironment;
  readonly memories: ActiveMemories;
  /** The folder whose budgets hold for it, or null. */
  readonly project: string | null;
}

export type PlanOrder = Pick<WorkOrder, "ask" | "env" | "memories">;

/** How a job's work ended. */
export type WorkEnd =
  | { readonly kind: "done" }
  | { readonly kind: "paused"; readonly reason: PauseReason; readonly detail: string }
  | { readonly kind: "cancelled" };

/** What is told of a job's work. */
export type WorkNews =
  | BenchProgress
  | { readonly kind: "outline"; readonly outline: JobOutline }
  /** All of it, each time something of it changed. */
  | { readonly kind: "selection"; readonly selection: SelectView }
  | { readonly kind: "comparison"; readonly comparison: CompareView };

/** `gone`: what does the work ended before its answer. `failed`: it cannot be done, and the detail says why. */
export type WorkFailure = "gone" | "failed" | "cancelled";

/** Where benches are planned and run: apart from the service, which only asks and hears. */
export interface Workshop {
  choices(
    asked: { readonly workspace: string | null; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<BenchChoices, WorkFailure>>;
  plan(order: PlanOrder, signal: AbortSignal): Promise<Result<BenchPlan, WorkFailure>>;
  /** Ends when nothing of the work goes on any more; aborted, as soon as its runs are ended. */
  run(
    order: WorkOrder,
    hear: (news: WorkNews) => void,
    signal: AbortSignal,
  ): Promise<Result<WorkEnd, WorkFailure>>;
  /** Ends it, and what it runs. */
  close(): Promise<void>;
}

export type WorkFailed = Failure<WorkFailure>;
