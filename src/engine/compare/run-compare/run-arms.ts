import { succeed, type Result } from "../../base/result.ts";
import type { BenchPorts, OnProgress } from "../../bench/bench-request.ts";
import {
  armQuestion,
  measureArms,
  type ArmProgress,
  type ArmsOutcome,
  type ArmsPorts,
  planArms,
} from "../../verdict/arms.ts";
import { benchArms } from "../../verdict/measure-pair.ts";
import type { ArmsFault } from "../compare-change.ts";
import { armsOf, benchOf, measured, portsOf, type ComparisonRequest } from "./run-compare.ts";
import type { ExpectedTokens } from "../../bench/plan.ts";
import { planPower, type PowerPlan } from "../../verdict/power.ts";

export interface ArmsListeners {
  readonly onBench: OnProgress;
  readonly onRound: (arms: readonly ArmProgress[]) => Promise<void> | void;
  readonly onSettled: ArmsPorts["onSettled"];
}

/**
 * Works round by round, until each change is decided, futile, or the cap is reached. The same request resumes where it stopped, and reports settled
 * results again.
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

/** `rounds` is null for the default; `changes` are compared with the same runs. */
export function comparisonPower(
  {
    changes,
    ...about
  }: {
    readonly weights: readonly number[];
    readonly rounds: number | null;
    readonly changes: number;
  },
  expected: ExpectedTokens,
): PowerPlan {
  const asked = { ...about, kind: "comparison", expected } as const;
  const request = { ...asked, rules: 1, canShare: false, bar: 0, sessions: null };
  return changes === 1 ? planPower(request) : planArms(request, changes);
}
