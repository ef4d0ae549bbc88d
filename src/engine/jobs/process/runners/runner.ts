import type { benchJobRequests } from "../../requester.ts";
import type { Result } from "../../../base/result.ts";
import type { ActiveMemories } from "../../../bench/configuration.ts";
import type { BenchPorts, PlanPorts } from "../../../bench/bench-request.ts";
import type { Suite } from "../../../bench/suite.ts";
import type { JobOrder, JobOutline, JobPlan } from "../../bench-answers.ts";
import type { ResumeState, WorkEnd, JobEvent } from "../../executor.ts";
import type { Requester } from "../../all-requests.ts";

/** Input of a job's runner. */
export interface JobWork<Ask extends JobOrder> {
  readonly id: string;
  readonly ask: Ask;
  readonly suite: Suite;
  readonly memories: ActiveMemories;
  /** State reported by an earlier start of the job, which resumes from there. */
  readonly before: ResumeState;
}

/** Requests that a job's process may send to the service. */
type JobRequest = keyof typeof benchJobRequests;

/** Access to the service, for everything besides runs. */
export interface JobClients {
  readonly service: Requester<JobRequest>;
  /** Claude Code's configuration folder, which contains the agents' memories. */
  readonly root: string;
}

export interface PlanContext extends JobClients {
  readonly ports: PlanPorts & Pick<BenchPorts, "folder" | "clock">;
}

export interface RunContext extends JobClients {
  readonly ports: BenchPorts;
}

/** Plans and runs a job. Its reports cover the whole job, even when it is resumed. */
export interface JobRunner {
  outline(): Result<JobOutline>;
  /** Plans runs and cost. Starts nothing. */
  plan(context: PlanContext): Promise<Result<JobPlan>>;
  run(context: RunContext, emit: (event: JobEvent) => void, signal: AbortSignal): Promise<Result<WorkEnd>>;
}
