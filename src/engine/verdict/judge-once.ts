import {
  type VerdictKind,
  type Verdict,
  type StopReason,
  type Question,
  minContrasts,
  usualMargin,
  usualWorth,
} from "./verdict.ts";
import { isBroken, describeTask, isSuspect, regressedTasks } from "./statistics/task-differences.ts";
import {
  latePatience,
  patientBoundaries,
  type Boundaries,
  roundsUntilShown,
} from "./statistics/boundaries.ts";
import { logSaving, type LogSaving } from "./statistics/log-saving.ts";
import { type Gathered, type TaskEvidence } from "./statistics/pairs.ts";
import { newcombe, passRate, type Counted } from "./statistics/pass-rate.ts";
import { savingPerCompleted } from "./statistics/per-completed.ts";
import { describeReason } from "./receipt/reason.ts";

/** Minimum tasks finished on both sides, for percentages and verdicts on tokens. */
const minTasks = 2;
/**
 * Minimum remaining contrasts. With fewer, a rule's effect cannot be separated from those of the rules measured with
 * it.
 */
const minLeft = 2;
/** Standard deviations of evidence against a saving worth having, from which on the experiment is given up. */
export const hopeless = 2;

/**
 * The decision about a change after a round. Describing it takes several times as long as deciding, and is only needed
 * when a person reads it.
 */
export interface Decision extends Pick<Verdict, "kind" | "belowBar" | "stop" | "rounds" | "tokensSpent"> {
  /** @param as replaces the decision, based on more than these runs */
  readonly describe: (as?: Partial<Pick<Verdict, "kind" | "belowBar" | "stop">>) => Verdict;
}

/**
 * Judges all samples together, after their last round. There are two outcomes: processing tokens of all runs
 * (`log-saving.ts`), and the same per completed task (`per-completed.ts`). For `saves`, the saving is shown to be
 * at least the bar, and its plain mean is no less. Failures are shown not to use it up (`isWorthFailures`), and no task
 * now always fails. The error rate is `alpha` on each side however often the evidence was judged before, because
 * the boundaries (`boundaries.ts`) are made for that. The same holds for the intervals, of level 1 - 2 alpha.
 *
 * The order of samples and the names of tasks do not change the result.
 */
export function decideOnce({ samples, tasks, rounds: all }: Gathered, question: Question): Decision {
  const { alpha } = question;
  const rounds = all.length;
  const look = Math.max(1, rounds);
  const boundaries = boundariesOf(question);
  const level = 1 - 2 * alpha;
  const saving = logSaving(tasks);
  const shown = showTokens(saving, question, boundaries.at(look));
  const regressed = regressedIn(tasks, question, look);
  const sides = [countSide(tasks, 0), countSide(tasks, 1)] as const;
  const passedDifference = newcombe(sides[0], sides[1], { boundary: boundaries.at(look), level });
  const asGood = shown.saves && !tasks.some(isSuspect) && isWorthFailures(saving, sides, { question, look });
  const broken = regressed.size > 0 || isBroken(samples, { alpha, look });
  const kind = decideKind(shown, { broken, asGood });
  const tokensSpent = samples.reduce(
    (sum, { tokens }) => sum + (tokens > 0 && tokens < Infinity ? tokens : 0),
    0,
  );
  // A task that only fails now is examined further: a broken task is stronger evidence than a lower pass rate.
  const isWorse = passedDifference !== null && passedDifference.high < 0 && !tasks.some(isSuspect);
  const stop = decideStop(kind, { question, shown, rounds, tokensSpent, isWorse });
  const decided = { kind, belowBar: shown.belowBar, stop, rounds, tokensSpent };
  return {
    ...decided,
    describe: (as = {}) => {
      const bounds = { boundary: boundaries.at(look), level };
      const share = shown.isComparable
        ? { value: saving.share, ...saving.interval(bounds.boundary), level }
        : null;
      const verdict = {
        ...decided,
        saving: share && scale(share, saving.meanBefore),
        savingShare: share,
        passed: [passRate(sides[0], bounds), passRate(sides[1], bounds)],
        passedDifference,
        perCompleted: shown.isComparable ? savingPerCompleted(saving, sides, bounds) : null,
        tasks: tasks.map((task) => describeTask(task, alpha, regressed.has(task.taskId))),
        moreRounds: stop === "decided" ? null : moreRounds(shown, rounds, boundaries),
        ...as,
      } satisfies Omit<Verdict, "reason">;
      return { ...verdict, reason: describeReason(verdict, question) };
    },
  };
}

/** The faults shown against a change, and the standardized sum of the evidence that it costs tokens. */
export interface AgainstIt {
  readonly isShown: boolean;
  /** Null where the runs cannot be compared. */
  readonly forCost: number | null;
}

/** Returns whether the runs show a fault of a change: the same as in its verdict, without computing the rest. */
export function judgeAgainst({ samples, tasks, rounds }: Gathered, question: Question): AgainstIt {
  const { alpha } = question;
  const look = Math.max(1, rounds.length);
  const boundary = boundariesOf(question).at(look);
  const shown = showTokens(logSaving(tasks), question, boundary);
  const broken = isBroken(samples, { alpha, look }) || regressedIn(tasks, question, look).size > 0;
  return {
    isShown: broken || (!shown.saves && (shown.costs || shown.belowBar)),
    forCost: shown.isComparable ? shown.forCost : null,
  };
}

function boundariesOf(question: Question): Boundaries {
  const patience = question.kind === "re-audit" ? latePatience : undefined;
  return patientBoundaries(question.alpha, plannedRounds(question), patience);
}

/** A broken task must be found early: its error is spent over half of the plan. */
function regressedIn(tasks: readonly TaskEvidence[], question: Question, look: number): Set<string> {
  return regressedTasks(tasks, { alpha: question.alpha, planned: plannedRounds(question) / 2, look });
}

function plannedRounds({
  plannedRounds: planned,
  maxRounds,
}: Pick<Question, "maxRounds" | "plannedRounds">): number {
  return planned ?? maxRounds;
}

interface Shown {
  readonly isComparable: boolean;
  readonly saves: boolean;
  readonly costs: boolean;
  readonly belowBar: boolean;
  /** Standardized sums of the evidence that the saving reaches the bar, and that the change costs tokens. */
  readonly forSaving: number;
  readonly forCost: number;
  /** Standardized sums of the evidence that the saving, and the cost, is at least the worth. */
  readonly forWorth: number;
  readonly forWorthLost: number;
}

function showTokens(saving: LogSaving, question: Question, boundary: number): Shown {
  const isComparable = saving.tasks >= minTasks && saving.count >= minLeft && saving.meanBefore > 0;
  if (!isComparable) return { isComparable, ...nothingShown };
  const worth = question.worth ?? usualWorth;
  const forSaving = saving.evidence(question.bar / saving.meanBefore);
  const forCost = -saving.evidence(0);
  const isEnough = saving.count >= minContrasts;
  return {
    isComparable,
    // The logarithms find a small saving among heavy tails; the plain mean includes the tails, and must agree.
    saves: isEnough && forSaving >= boundary && saving.meanSaved >= question.bar,
    costs: isEnough && forCost >= boundary && saving.meanSaved < 0,
    belowBar: isEnough && forSaving <= -boundary && saving.meanSaved < question.bar,
    forSaving,
    forCost,
    forWorth: saving.evidence(worth),
    forWorthLost: -saving.evidence(-worth),
  };
}

const nothingShown = {
  saves: false,
  costs: false,
  belowBar: false,
  forSaving: 0,
  forCost: 0,
  forWorth: 0,
  forWorthLost: 0,
};

/**
 * The failures of a change may eat up its saving. So one of two things must be shown, each at its own error rate. Either
 * its passes are lower by less than half of the margin: then most of what they cost is known to be little. Or its saving
 * of tokens per completed task is above zero, whatever its passes are: a large saving is worth some failures. Both are
 * shown patiently: tokens are mostly decided late, too. A change without either effect is already held by the tokens. And
 * no more passes may be lost than the margin. `npm run bench -- verdicts` simulates it (`sloppy-alone`).
 */
function isWorthFailures(
  saving: LogSaving,
  sides: readonly [Counted, Counted],
  { question, look }: { readonly question: Question; readonly look: number },
): boolean {
  const margin = question.passMargin ?? usualMargin;
  const of = (alpha: number) => ({ boundary: failureBoundary(question, alpha, look), level: 1 - 2 * alpha });
  const difference = newcombe(...sides, of(errorOfPasses));
  if (difference === null || difference.value < -margin) return false;
  return (
    difference.low > -margin / 2 || (savingPerCompleted(saving, sides, of(errorOfCompleted))?.low ?? -1) > 0
  );
}

/** Standard deviations that failures must be within at a look. */
export function failureBoundary(
  question: Pick<Question, "maxRounds" | "plannedRounds">,
  alpha: number,
  look: number,
): number {
  return patientBoundaries(alpha, plannedRounds(question), latePatience).at(look);
}

/**
 * Error rates of what is shown of failures. They are larger than that of tokens: passes say much less than tokens do, and a change
 * that does nothing at all must pass both.
 */
export const errorOfPasses = 0.1;
export const errorOfCompleted = 0.14;

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
  readonly isWorse: boolean;
}

function decideStop(kind: VerdictKind, so: SoFar): StopReason | null {
  if (so.rounds < (so.question.firstLook ?? 1)) return null;
  if (kind === "cheaper-not-as-good" ? so.isWorse : kind !== "undecided") return "decided";
  const { maxRounds, tokenCap } = so.question;
  if (so.shown.belowBar) return "futile";
  if (so.rounds >= maxRounds || (tokenCap !== null && so.tokensSpent >= tokenCap)) return "cap";
  return kind === "undecided" && isFutile(so) ? "futile" : null;
}

/**
 * Gives up a change that truly saves the worth only with a chance of some hundredths, and never before half of the
 * plan. Questions about a single change, other than a candidate's, are given up only when an equally large cost is as
 * unlikely.
 */
function isFutile({ question, shown, rounds }: SoFar): boolean {
  if (!shown.isComparable || 2 * rounds < Math.max(plannedRounds(question), question.maxRounds)) return false;
  const isOfSavings = question.kind === "candidate" || question.arms !== undefined;
  return shown.forWorth <= -hopeless && (isOfSavings || shown.forWorthLost <= -hopeless);
}

function moreRounds(shown: Shown, rounds: number, boundaries: Boundaries): number | null {
  const ways = [shown.forSaving, shown.forCost].flatMap(
    (evidence) => roundsUntilShown({ evidence, rounds }, boundaries) ?? [],
  );
  // One outcome that is already shown waits for the other one, a round at a time.
  return ways.length === 0 ? null : Math.max(1, Math.min(...ways));
}

function countSide(tasks: readonly TaskEvidence[], side: 0 | 1): Counted {
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
