import type { JobOrder, JobState } from "./bench.ts";

/** Whether a job can be resumed. */
export function isResumable({ kind }: JobState): boolean {
  return kind === "paused" || kind === "interrupted" || kind === "cancelled" || kind === "failed";
}

/** Whether a job runs, or waits for its turn. */
export function isUnderWay({ kind }: JobState): boolean {
  return kind === "queued" || kind === "running" || kind === "cancelling";
}

/** Returns the agents whose golden tasks a job runs. */
export function agentsOf(ask: JobOrder): readonly string[] {
  return ask.kind === "bench" ? ask.agents : [ask.agent];
}
