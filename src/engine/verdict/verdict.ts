import { errorOfSide } from "../base/confidence.ts";
import type { Sentence } from "../base/language.ts";

/** One benchmark run that is evidence. Cancelled runs and environment failures are removed beforehand. */
export interface RunSample {
  readonly taskId: string;
  /** The task's weight among the tasks: positive. */
  readonly weight: number;
  /** 0 = unchanged, 1 = with the change. */
  readonly side: 0 | 1;
  /** Counted from 1; pooled evidence has separately numbered rounds of its own. */
  readonly round: number;
  /** Processing tokens: input + output + cache creation. */
  readonly tokens: number;
  readonly passed: boolean;
  /** Ids of other rules under trial that the run had; absent if nothing else is measured with the same runs. */
  readonly together?: readonly string[] | undefined;
  /** Version and model of the program that ran; absent if unknown. */
  readonly program?: string | undefined;
  /** The earlier measurement that made the run; absent in the runs of the present one. */
  readonly measured?: EarlierMeasurement | undefined;
}

interface EarlierMeasurement {
  readonly id: string;
  /** Whether it audited an active rule; null in older evidence, which does not record it. */
  readonly isAudit: boolean | null;
  /** Weight of a round relative to a new one: from 0, not included, to 1. Evidence fades with time. */
  readonly counts: number;
}

/** A figure with its confidence interval. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Level of this interval alone. Intervals that are judged together hold together at `confidenceLevel`. */
  readonly level: number;
}

export interface PassRate {
  readonly passed: number;
  readonly runs: number;
  /** Shares from 0 to 1; null without runs. */
  readonly rate: Interval | null;
}

export interface TaskDifference {
  readonly taskId: string;
  readonly weight: number;
  /** Rounds in which both sides worked on the task. */
  readonly pairs: number;
  /** Mean processing tokens of the paired runs, [unchanged, with the change]; null without a pair. */
  readonly tokens: readonly [number, number] | null;
  /** Tokens saved per run: positive = the change is cheaper. Null below five pairs. */
  readonly saving: Interval | null;
  readonly runs: readonly [number, number];
  readonly passed: readonly [number, number];
  /** True when the task passed before and now fails, with real tokens spent, beyond noise. */
  readonly regressed: boolean;
}

export const verdictKinds = ["saves", "costs", "cheaper-not-as-good", "regression", "undecided"] as const;
export type VerdictKind = (typeof verdictKinds)[number];

/** Why no further round is run; null = another round may still decide. `worth`: it would take more than it may earn. */
export type StopReason = "decided" | "futile" | "cap" | "worth";

export interface Question {
  /**
   * Processing tokens that a run must save, for example twice a rule's rent. With 0, any saving is enough.
   */
  readonly bar: number;
  /** How often a useless change may be called a saving, over all looks together: 0.05. */
  readonly alpha: number;
  readonly maxRounds: number;
  /**
   * Rounds over which the error rate is planned to be spent; `maxRounds` if absent. Fixed when a question is first
   * asked: evidence added on later days is judged by the same plan.
   */
  readonly plannedRounds?: number;
  /** Rounds before the first look; one if absent. Looks that are not taken cost nothing. */
  readonly firstLook?: number;
  /** Minimum share saved that is worth having: 0.1 by default. Futility is judged against it. */
  readonly worth?: number;
  /** Processing tokens of all runs together. */
  readonly tokenCap: number | null;
  /** Maximum drop of the pass rate that counts as good: 0.2 by default. */
  readonly passMargin?: number;
  readonly kind: "candidate" | "re-audit" | "comparison";
  /**
   * Changes that are compared with the same runs, this one included: `alpha` is its part of the error of all. Absent
   * for one.
   */
  readonly arms?: number | undefined;
}

export interface Verdict {
  readonly kind: VerdictKind;
  /**
   * Processing tokens saved per run, failed ones included; null if fewer than two tasks have runs of both sides, or if the runs
   * are too few for the rules measured with them.
   */
  readonly saving: Interval | null;
  /** The same as a share (0.1 = 10 %) of a run's tokens without the change. */
  readonly savingShare: Interval | null;
  /**
   * Share saved of the tokens per completed task: those of all runs of a side, over its passed runs. Null if a side
   * passed nothing. Absent in older receipts.
   */
  readonly perCompleted?: Interval | null | undefined;
  /** True when the saving is shown to be below the bar. `costs` is stronger: the change is shown to cost tokens. */
  readonly belowBar: boolean;
  readonly passed: readonly [PassRate, PassRate];
  /** Pass rate with the change minus without: negative = worse. Null without runs on both sides. */
  readonly passedDifference: Interval | null;
  readonly tasks: readonly TaskDifference[];
  readonly stop: StopReason | null;
  /**
   * Estimated further rounds until a decision, if the trend holds; null if none would help or no estimate is possible.
   */
  readonly moreRounds: number | null;
  readonly rounds: number;
  /** Processing tokens of all samples, both sides, failed runs included. */
  readonly tokensSpent: number;
  /** One plain sentence. */
  readonly reason: Sentence;
}

/**
 * Minimum contrasts. With fewer, a lucky run is likelier than the boundaries assume: they are made for sums of many.
 */
export const minContrasts = 7;
/** Maximum share of passes that may be lost. */
export const usualMargin = 0.2;
/** Minimum share saved that is worth having. */
export const usualWorth = 0.1;

/**
 * Whether the runs so far are too little evidence for any forecast: they are few and show no difference, or they allow
 * a saving and a cost that would both matter.
 */
export function isTooEarly(
  { savingShare, tasks, stop, moreRounds }: Pick<Verdict, "savingShare" | "tasks" | "stop" | "moreRounds">,
  { worth = usualWorth }: { readonly worth?: Question["worth"] | undefined },
): boolean {
  if (savingShare === null || stop === "decided" || stop === "futile") return false;
  const isFew = tasks.reduce((sum, { pairs }) => sum + pairs, 0) < minContrasts;
  if (isFew && savingShare.low < 0 && savingShare.high > 0) return true;
  return moreRounds === null && savingShare.low < -worth && savingShare.high > worth;
}

/** Maximum rounds, and rounds over which the error is spent: the same as in `npm run bench -- verdicts-lives`. */
const rounds = {
  candidate: { most: 11, planned: 11 },
  // Planned for six audits, one after the other.
  "re-audit": { most: 6, planned: 36 },
  comparison: { most: 12, planned: 12 },
} as const;
/** Further rounds for each rule beyond the first in the same runs. */
const roundsPerRule = { candidate: { most: 6, planned: 4.5 }, "re-audit": { most: 0, planned: 0 } } as const;

/**
 * Returns the default question.
 * @param bar processing tokens that a run must save: twice a rule's rent, or 0 for a comparison
 * @param tokenCap processing tokens of the whole experiment
 */
export function usualQuestion(kind: Question["kind"], bar: number, tokenCap: number | null): Question {
  const { most, planned } = rounds[kind];
  return { kind, bar, tokenCap, alpha: errorOfSide, maxRounds: most, plannedRounds: planned };
}

/**
 * Returns the default question about a rule that is measured together with others.
 * @param count candidates measured with the same runs
 * @param affordable rounds that the budget pays for: a smaller budget gets its own plan. Null for no limit
 */
export function jointQuestion(
  kind: "candidate" | "re-audit",
  bar: number,
  { count, affordable }: { readonly count: number; readonly affordable: number | null },
): Question & { readonly plannedRounds: number } {
  const usual = usualQuestion(kind, bar, null);
  const { most, planned } = roundsPerRule[kind];
  const rounds = Math.round((usual.plannedRounds ?? usual.maxRounds) + planned * (count - 1));
  const isLess = kind === "candidate" && affordable !== null && affordable < rounds;
  return {
    ...usual,
    maxRounds: usual.maxRounds + most * (count - 1),
    plannedRounds: isLess ? Math.max(1, Math.floor(affordable)) : rounds,
  };
}
