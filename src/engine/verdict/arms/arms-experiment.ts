import {
  runJointExperiment,
  type JointOutcome,
  type JointPorts,
  type JointRequest,
} from "../joint/joint-experiment.ts";
import type { JointRun } from "../joint/orthogonal-rows.ts";
import type { Question, RunSample } from "../verdict.ts";

/**
 * Returns the question about each of several changes that are compared with the same runs. Each gets its part of the
 * error, so that the chance of any false claim stays the same as for one (Bonferroni). A change that saves nothing is
 * given up even if it may cost more.
 */
export function armQuestion(question: Question, arms: number): Question {
  return { ...question, alpha: question.alpha / arms, arms };
}

/**
 * Measures several changes with the same runs of the unchanged configuration, each judged on its own. Shared controls
 * make their results similar, but increase no error rate.
 * @param request the subjects are the arms. A run without rules is one of the unchanged configuration
 */
export async function runArms(
  request: Pick<JointRequest, "subjects" | "tokenCap" | "expectedTokens">,
  ports: JointPorts,
  signal: AbortSignal,
): Promise<JointOutcome> {
  return await runJointExperiment({ ...request, samplesOf: armSamples, sizeOfRound }, ports, signal);
}

/** The runs of one arm, and those of the unchanged configuration. */
function armSamples(id: string, runs: readonly JointRun[]): RunSample[] {
  return runs.flatMap(({ rules, ...run }): RunSample[] => {
    if (rules.length === 0) return [{ ...run, side: 0 }];
    return rules.includes(id) ? [{ ...run, side: 1 }] : [];
  });
}

/** Average number of runs of a task per round. @param open arms that remain */
export function sizeOfRound(open: number): number {
  return open + Math.sqrt(open);
}
