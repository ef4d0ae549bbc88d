import { patientBoundaries } from "./statistics/boundaries.ts";
import { chanceToShow, roundsUntilShown } from "./statistics/experiment-forecast.ts";
import { pairedSaving, type PairedSaving } from "./statistics/paired-saving.ts";
import { gatherTasks, type TaskEvidence } from "./statistics/pairs.ts";
import { newcombe, passRate, type Bounds } from "./statistics/pass-rate.ts";
import { describeReason } from "./receipt/reason.ts";
import { describeTask, isSuspect, regressedTasks } from "./statistics/task-differences.ts";
import type { Question, RunSample, StopReason, Verdict, VerdictKind } from "./verdict.ts";

/** Percentages and verdicts on tokens need at least this many tasks finished on both sides. */
const fewestTasks = 2;
/** With fewer pairs, a run of luck is likelier than the boundaries assume: they are made for sums of many. */
const fewestPairs = 7;
const usualMargin = 0.2;
/** One round is too little evidence to give up on. */
const fewestRounds = 2;
/** Below this chance of showing anything by the last round, the experiment is given up. */
const hopeless = 0.15;

/**
 * Judges all samples together, after their last round. There are two outcomes: processing tokens of runs that
 * both sides completed (`paired-saving.ts`), and how many runs passed (`pass-rate.ts`). `saves` needs both:
 * the saving is shown to be at least the bar, its plain mean is no less, and the pass rate is shown to be
 * lower by no more than the margin, with no task that now always fails. The error rate is `alpha` on each
 * side however often the evidence was judged before, because the boundaries (`boundaries.ts`) are made for
 * that; the same holds for the intervals, of level 1 - 2 alpha.
 *
 * The order of samples and the names of tasks do not change the result.
 */
export function judge(samples: readonly RunSample[], question: Question): Verdict {
  const tasks = gatherTasks(samples);
  const rounds = new Set(samples.map(({ round }) => round)).size;
  const look = Math.max(1, rounds);
  const bounds = { boundary: patientBoundaries(question.alpha).at(look), level: 1 - 2 * question.alpha };
  const saving = pairedSaving(tasks);
  const shown = showTokens(saving, question, bounds);
  const regressed = regressedTasks(tasks, question.alpha, look);
  const sides = [countSide(tasks, 0), countSide(tasks, 1)] as const;
  const passedDifference = newcombe(sides[0], sides[1], bounds);
  const asGood =
    passedDifference !== null &&
    passedDifference.low >= -(question.passMargin ?? usualMargin) &&
    !tasks.some(isSuspect);
  const kind = decideKind(shown, { broken: regressed.size > 0, asGood });
  const tokensSpent = samples.reduce(
    (sum, { tokens }) => sum + (tokens > 0 && tokens < Infinity ? tokens : 0),
    0,
  );
  const isWorse = passedDifference !== null && passedDifference.high < 0;
  const stop = decideStop(kind, { question, shown, rounds, tokensSpent, isWorse });
  const verdict = {
    kind,
    saving: shown.share && scale(shown.share, saving.meanBefore),
    savingShare: shown.share,
    belowBar: shown.belowBar,
    passed: [passRate(sides[0], bounds), passRate(sides[1], bounds)],
    passedDifference,
    tasks: tasks.map((task) => describeTask(task, question.alpha, regressed.has(task.taskId))),
    stop,
    moreRounds: stop === "decided" ? null : moreRounds(shown, rounds, question.alpha),
    rounds,
    tokensSpent,
  } satisfies Omit<Verdict, "reason">;
  return { ...verdict, reason: describeReason(verdict, question) };
}

/** What the tokens alone show. */
interface Shown {
  readonly share: Verdict["savingShare"];
  readonly saves: boolean;
  readonly costs: boolean;
  readonly belowBar: boolean;
  /** Standardized sums of the evidence that the saving reaches the bar, and that the change costs more than none. */
  readonly forSaving: number;
  readonly forCost: number;
}

function showTokens(saving: PairedSaving, question: Question, { boundary, level }: Bounds): Shown {
  const isComparable = saving.tasks >= fewestTasks && saving.meanBefore > 0;
  if (!isComparable)
    return { share: null, saves: false, costs: false, belowBar: false, forSaving: 0, forCost: 0 };
  const forSaving = saving.evidence(question.bar / saving.meanBefore);
  const forCost = -saving.evidence(0);
  const isEnough = saving.count >= fewestPairs;
  return {
    share: { value: saving.share, ...saving.interval(boundary), level },
    // The tamed difference finds a small saving among heavy tails; the plain mean includes the tails, and must agree.
    saves: isEnough && forSaving >= boundary && saving.meanSaved >= question.bar,
    costs: isEnough && forCost >= boundary && saving.meanSaved < 0,
    belowBar: isEnough && forSaving <= -boundary && saving.meanSaved < question.bar,
    forSaving,
    forCost,
  };
}

function decideKind(shown: Shown, passed: { broken: boolean; asGood: boolean }): VerdictKind {
  if (passed.broken) return "regression";
  if (shown.saves) return passed.asGood ? "saves" : "cheaper-not-as-good";
  return shown.costs ? "costs" : "undecided";
}

interface SoFar {
  readonly question: Question;
  readonly shown: Shown;
  readonly rounds: number;
  readonly tokensSpent: number;
  /** True when the pass rate is shown to be lower. */
  readonly isWorse: boolean;
}

function decideStop(kind: VerdictKind, so: SoFar): StopReason | null {
  if (kind === "cheaper-not-as-good" ? so.isWorse : kind !== "undecided") return "decided";
  const { maxRounds, tokenCap } = so.question;
  if (so.shown.belowBar) return "futile";
  if (so.rounds >= maxRounds || (tokenCap !== null && so.tokensSpent >= tokenCap)) return "cap";
  return kind === "undecided" && isFutile(so) ? "futile" : null;
}

/** Gives up a candidate that is unlikely to be shown to save; other questions only when nothing is likely to be shown. */
function isFutile({ question, shown, rounds }: SoFar): boolean {
  if (shown.share === null || rounds < fewestRounds) return false;
  const boundaries = patientBoundaries(question.alpha);
  const isUnlikely = (evidence: number) =>
    chanceToShow({ evidence, rounds }, question.maxRounds, boundaries) < hopeless;
  return isUnlikely(shown.forSaving) && (question.kind === "candidate" || isUnlikely(shown.forCost));
}

function moreRounds(shown: Shown, rounds: number, alpha: number): number | null {
  const boundaries = patientBoundaries(alpha);
  const ways = [shown.forSaving, shown.forCost].flatMap(
    (evidence) => roundsUntilShown({ evidence, rounds }, boundaries) ?? [],
  );
  // One outcome that is already shown waits for the other one, a round at a time.
  return ways.length === 0 ? null : Math.max(1, Math.min(...ways));
}

function countSide(tasks: readonly TaskEvidence[], side: 0 | 1): { passed: number; runs: number } {
  return {
    passed: tasks.reduce((sum, { passed }) => sum + passed[side], 0),
    runs: tasks.reduce((sum, { runs }) => sum + runs[side], 0),
  };
}

function scale<Figures extends { value: number; low: number; high: number }>(
  figures: Figures,
  by: number,
): Figures {
  return { ...figures, value: figures.value * by, low: figures.low * by, high: figures.high * by };
}
