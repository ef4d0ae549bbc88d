import type { benchJobRequests, Requester } from "../../all-requests.ts";
import type { Result } from "../../../base/result.ts";
import type { ActiveMemories } from "../../../bench/configuration.ts";
import type { BenchPorts, PlanPorts } from "../../../bench/bench-request.ts";
import type { Suite } from "../../../bench/suite.ts";
import type { JobOrder, JobOutline, JobPlan } from "../../bench-answers.ts";
import type { ResumeState, WorkEnd, JobEvent } from "../../executor.ts";

export interface JobWork<Ask extends JobOrder> {
  readonly id: string;
  readonly ask: Ask;
  readonly suite: Suite;
  readonly memories: ActiveMemories;
  /** Reported by an earlier start, which this one resumes. */
  readonly before: ResumeState;
}

type JobRequest = keyof typeof benchJobRequests;

/** For everything besides runs. */
export interface JobClients {
  readonly service: Requester<JobRequest>;
  /** Claude Code's configuration folder, with the agents' memories. */
  readonly root: string;
}

export interface PlanContext extends JobClients {
  readonly ports: PlanPorts & Pick<BenchPorts, "folder" | "clock">;
}

export interface RunContext extends JobClients {
  readonly ports: BenchPorts;
}

/** Its reports cover the whole job, even when it is resumed. */
export interface JobRunner {
  outline(): Result<JobOutline>;
  /** Starts nothing. */
  plan(context: PlanContext): Promise<Result<JobPlan>>;
  run(context: RunContext, emit: (event: JobEvent) => void, signal: AbortSignal): Promise<Result<WorkEnd>>;
}
