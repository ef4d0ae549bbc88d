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

/** What a job's runner is handed. */
export interface JobWork<Ask extends JobAsk> {
  readonly id: string;
  readonly ask: Ask;
  readonly suite: Suite;
  readonly memories: ActiveMemories;
  /** What it told when it was begun before: it goes on from there. */
  readonly before: ToldBefore;
}

/** What a job's process may ask the service. */
type JobRequest = keyof typeof ledgerRequests | keyof typeof rulesRequests;

/** What is asked and told besides runs: of the service. */
export interface JobDesk {
  readonly service: Requester<JobRequest>;
  /** Claude Code's configuration folder, where agents' memories are. */
  readonly root: string;
}

export interface PlanWorld extends JobDesk {
  readonly ports: Pick<BenchPorts, "driver" | "book" | "price" | "folder">;
}

export interface RunWorld extends JobDesk {
  readonly ports: BenchPorts;
}

/** How a job is planned and run. What it tells is of the whole job, also where it is resumed. */
export interface JobRunner {
  outline(): Result<JobOutline>;
  /** What it would do and spend. Nothing begins. */
  plan(world: PlanWorld): Promise<Result<BenchPlan>>;
  run(world: RunWorld, tell: (news: WorkNews) => void, signal: AbortSignal): Promise<Result<WorkEnd>>;
}
