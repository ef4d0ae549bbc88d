/** One benchmark run that is evidence. Cancelled runs and failures of the environment are left out before. */
export interface RunSample {
  readonly taskId: string;
  /** How much the task counts among the tasks: positive. */
  readonly weight: number;
  /** 0 = as it is, 1 = with the change. */
  readonly side: 0 | 1;
  /** Counted from 1; pooled evidence has rounds of its own, numbered apart. */
  readonly round: number;
  /** Processing tokens: input + output + cache creation. */
  readonly tokens: number;
  readonly passed: boolean;
}

/** A figure with what it may be besides, at `level` (0.95 = in 95 of 100 cases). */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
}

export interface PassRate {
  readonly passed: number;
  readonly runs: number;
  /** Shares from 0 to 1; null without a run. */
  readonly rate: Interval | null;
}

/** One task, both sides. */
export interface TaskDifference {
  readonly taskId: string;
  readonly weight: number;
  /** Rounds in which the task was completed on both sides: only these speak of tokens. */
  readonly pairs: number;
  /** Mean processing tokens of the paired runs, [as it is, with the change]; null without a pair. */
  readonly tokens: readonly [number, number] | null;
  /** Tokens saved per completed run: positive = the change is cheaper. Null below two pairs. */
  readonly saving: Interval | null;
  readonly runs: readonly [number, number];
  readonly passed: readonly [number, number];
  /** It passed before and now fails, with real tokens spent, beyond what noise explains. */
  readonly regressed: boolean;
}

export type VerdictKind = "saves" | "costs" | "cheaper-not-as-good" | "regression" | "undecided";

/** Why no further round is run: null = another round may still decide. */
export type StopReason = "decided" | "futile" | "cap";

export interface Question {
  /** Processing tokens that a completed run must save, as twice a rule's rent. 0 asks for any saving. */
  readonly bar: number;
  /** How often a useless change may be said to save, however often it is looked: 0.05. */
  readonly alpha: number;
  readonly maxRounds: number;
  /** Processing tokens of all runs together. */
  readonly tokenCap: number | null;
  /** How much lower the pass rate may be and still be called as good: 0.2 unless said. */
  readonly passMargin?: number;
  readonly kind: "candidate" | "re-audit" | "comparison";
}

export interface Verdict {
  readonly kind: VerdictKind;
  /** Processing tokens saved per completed run; null where fewer than two tasks were finished on both sides. */
  readonly saving: Interval | null;
  /** The same as a share (0.1 = 10 %) of what a completed run takes as it is. */
  readonly savingShare: Interval | null;
  /** The saving is shown to be below the bar. `costs` is more: the change is shown to be dearer than none. */
  readonly belowBar: boolean;
  readonly passed: readonly [PassRate, PassRate];
  /** Pass rate with the change less that without: negative = worse. Null without runs on both sides. */
  readonly passedDifference: Interval | null;
  readonly tasks: readonly TaskDifference[];
  readonly stop: StopReason | null;
  /** How many more rounds a decision would take, as things look now; null where none would help or nothing can be said. */
  readonly moreRounds: number | null;
  /** Complete rounds looked at. */
  readonly rounds: number;
  /** Processing tokens of all samples, both sides, failed runs included. */
  readonly tokensSpent: number;
  /** One plain sentence. */
  readonly reason: string;
}
