import { sentence, type Sentence } from "../../base/text/sentence.ts";
import { cacheCreation } from "../../usage/token-counts.ts";
import { killMarked } from "../execute/end-leftovers.ts";
import type { ProgramEnd } from "../execute/run-program.ts";
import type { AgentEnd, AgentTask, Trajectory } from "./driver.ts";

/** Interval at which a running transcript is read. Milliseconds. */
const interval = 250;

/** Returns a run's processing tokens: input, output and cache creation. */
export function processingOf({ usage }: Pick<Trajectory, "usage">): number {
  return usage.input + usage.output + cacheCreation(usage);
}

/**
 * Runs an agent's program within the limits of its task, and watches its transcript. Afterwards no process of
 * the run is left.
 * @param readProgress reads the new lines
 */
export async function runWithin(
  task: Pick<AgentTask, "limits" | "signal" | "mark" | "onTrajectory">,
  readProgress: () => Trajectory,
  run: (within: { timeout: number; signal: AbortSignal }) => Promise<ProgramEnd>,
): Promise<{ readonly ended: ProgramEnd; readonly limit: AgentEnd | null }> {
  const { limits } = task;
  const over = new AbortController();
  let limit: AgentEnd | null = null;
  const watch = () => {
    const trajectory = readProgress();
    task.onTrajectory(trajectory);
    const passed = passedLimit(trajectory, limits);
    if (passed === null || limit !== null) return;
    limit = { kind: "limit", detail: passed };
    over.abort();
  };
  const timer = setInterval(watch, interval);
  try {
    const signal = AbortSignal.any([task.signal, over.signal]);
    const ended = await run({ timeout: limits.time, signal });
    watch();
    if (ended.how === "timeout")
      limit ??= { kind: "limit", detail: sentence("time: {0} s", limits.time / 1000) };
    return { ended, limit };
  } finally {
    clearInterval(timer);
    await killMarked(task.mark);
  }
}

function passedLimit(trajectory: Trajectory, limits: AgentTask["limits"]): Sentence | null {
  if (processingOf(trajectory) > limits.tokens) return sentence("tokens: {0}", limits.tokens);
  return trajectory.turns > limits.turns ? sentence("turns: {0}", limits.turns) : null;
}
