import type { Result } from "../../base/result.ts";
import type { ActiveMemories } from "../../bench/as-it-is.ts";
import type { BenchPorts } from "../../bench/request.ts";
import type { BenchPlan } from "../../bench/plan/plan.ts";
import type { Suite } from "../../bench/suite/suite.ts";
import type { JobAsk, JobOutline } from "../../jobs/answers/bench.ts";
import type { ToldBefore, WorkEnd, WorkNews } from "../../jobs/workshop.ts";
import type { ledgerRequests } from "../../wire/ledger.ts";
import type { rulesRequests } from "../../wire/rules.ts";
import type { Requester } from "../../wire/wire.ts";

/** Input of a job's runner. */
export interface JobWork<Ask extends JobAsk> {
  readonly id: string;
  readonly ask: Ask;
  readonly suite: Suite;
  readonly memories: ActiveMemories;
  /** What an earlier start of the job reported: it resumes from there. */
  readonly before: ToldBefore;
}

/** Requests that a job's process may send to the service. */
type JobRequest = keyof typeof ledgerRequests | keyof typeof rulesRequests;

/** Access to the service, for everything besides runs. */
export interface JobDesk {
  readonly service: Requester<JobRequest>;
  /** Claude Code's configuration folder, which contains the agents' memories. */
  readonly root: string;
}

export interface PlanWorld extends JobDesk {
  readonly ports: Pick<BenchPorts, "driver" | "book" | "price" | "folder">;
}

export interface RunWorld extends JobDesk {
  readonly ports: BenchPorts;
}

/** Plans and runs a job. Its reports cover the whole job, even when it is resumed. */
export interface JobRunner {
  outline(): Result<JobOutline>;
  /** Plans runs and cost. Starts nothing. */
  plan(world: PlanWorld): Promise<Result<BenchPlan>>;
  run(world: RunWorld, tell: (news: WorkNews) => void, signal: AbortSignal): Promise<Result<WorkEnd>>;
}
