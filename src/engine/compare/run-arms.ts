import { succeed, type Result } from "../base/result.ts";
import type { BenchPorts, OnProgress } from "../bench/bench-request.ts";
import { armQuestion } from "../verdict/arms/arms-experiment.ts";
import {
  measureArms,
  type ArmProgress,
  type ArmsOutcome,
  type ArmsPorts,
} from "../verdict/arms/measure-arms.ts";
import { benchArms } from "../verdict/bench-rounds.ts";
import type { ArmsFault } from "./changed-arms.ts";
import { armsOf, benchOf, measured, portsOf, type ComparisonRequest } from "./run-compare.ts";

export interface ArmsListeners {
  readonly onBench: OnProgress;
  readonly onRound: (arms: readonly ArmProgress[]) => Promise<void> | void;
  readonly onSettled: ArmsPorts["onSettled"];
}

/**
 * Compares several changes with the same runs of the unchanged configuration, round by round, until each is
 * decided, futile, or the cap is reached. Called again with the same request, it resumes where it stopped,
 * and reports settled results again.
 */
export async function runArmsComparison(
  request: ComparisonRequest,
  ports: BenchPorts,
  signal: AbortSignal,
  { onBench, onRound, onSettled }: ArmsListeners,
): Promise<Result<ArmsOutcome, ArmsFault>> {
  const made = armsOf(request);
  if (!made.ok) return made;
  const { pairs } = made.value;
  const bench = benchOf(request, made.value);
  const { onSide, question, ...common } = await measured(request, bench, ports);
  const outcome = await measureArms(
    {
      ...common,
      question: armQuestion(question, pairs.length),
      arms: pairs.map((pair, index) => ({ id: `${request.id}.${index + 1}`, ...onSide(pair) })),
    },
    { round: benchArms(bench, ports, onBench), onProgress: onRound, onSettled, ...portsOf(ports) },
    signal,
  );
  return succeed(outcome);
}
