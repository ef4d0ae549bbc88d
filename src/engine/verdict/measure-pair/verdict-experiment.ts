import { sentence, type Sentence } from "../../base/language.ts";
import { decide } from "../judge.ts";
import { countedOf, countRounds, numberRounds, sameProgram } from "../statistics/pool.ts";
import type { Question, RunSample, StopReason, Verdict } from "../verdict.ts";

/**
 * Two configurations measured against each other round by round, judged after each round, until the experiment is
 * decided or futile, or until its limit is spent. The one engine for a rule (with or without it) and for any other
 * comparison.
 */
export interface ExperimentRequest {
  /** `maxRounds` and `tokenCap` apply to this experiment alone, without the earlier ones. */
  readonly question: Question;
  /** Samples of earlier experiments on the same question (`pool.ts`). */
  readonly pooled: readonly RunSample[];
  /** Samples of complete rounds from before this experiment was interrupted. */
  readonly stored: readonly RunSample[];
  /** Expected processing tokens per round; null where unknown. Actual rounds replace the estimate. */
  readonly expectedTokens: number | null;
}

/** Result of a round. `paused` and `cancelled` end the experiment; its next start repeats the round. */
export type RoundAnswer =
  | { readonly kind: "made"; readonly samples: readonly RunSample[] }
  | { readonly kind: "paused"; readonly detail: Sentence }
  | { readonly kind: "cancelled" };

export interface ExperimentPorts {
  /** Runs a round, counted from 1: each task once per side, interleaved. */
  readonly round: (round: number, signal: AbortSignal) => Promise<RoundAnswer>;
  /**
   * Called after each round, once it is judged; resolves when the progress is stored. If absent, nothing is described.
   */
  readonly onProgress?: (progress: ExperimentProgress) => Promise<void> | void;
}

export interface ExperimentProgress {
  /** Current verdict, pooled evidence included. */
  readonly verdict: Verdict;
  /** Rounds of this experiment. */
  readonly rounds: number;
  /** Processing tokens of this experiment. */
  readonly tokensSpent: number;
  /** Processing tokens expected until a decision, if the trend holds; null where no estimate is possible. */
  readonly tokensToDecision: number | null;
  /** This experiment's own samples: passed in again as `stored`, they let it resume from here. */
  readonly samples: readonly RunSample[];
  /** Rounds of earlier experiments behind the verdict. */
  readonly pooledRounds: number;
  /** Ids of these experiments, oldest first. */
  readonly from: readonly string[];
}

export type ExperimentEnd =
  | { readonly kind: "finished" }
  | { readonly kind: "paused"; readonly detail: Sentence }
  | { readonly kind: "cancelled" };

export interface ExperimentOutcome extends ExperimentProgress {
  readonly end: ExperimentEnd;
}

/** @param signal cancels the experiment; the round in progress is cancelled too and does not count */
export async function runExperiment(
  request: ExperimentRequest,
  { round, onProgress }: ExperimentPorts,
  signal: AbortSignal,
): Promise<ExperimentOutcome> {
  const assess = assessor(request);
  let own = numberRounds(request.stored, 0);
  let progress = assess(own);
  const endAs = (end: ExperimentEnd): ExperimentOutcome => ({ ...progress.describe(), end });
  for (;;) {
    if (progress.rounds > 0 && progress.stop !== null) return endAs({ kind: "finished" });
    if (signal.aborted) return endAs({ kind: "cancelled" });
    if (!isAffordable(request, progress)) {
      const { verdict, ...progress } = endAs({ kind: "finished" });
      return { ...progress, verdict: { ...verdict, stop: "cap" } };
    }
    const answer = await round(progress.rounds + 1, signal);
    if (answer.kind !== "made") return endAs(answer);
    if (answer.samples.length === 0)
      return endAs({ kind: "paused", detail: sentence("No run of the round said anything.") });
    own = [...own, ...numberAs(answer.samples, progress.rounds + 1)];
    progress = assess(own);
    await onProgress?.(progress.describe());
  }
}

interface State extends Pick<ExperimentProgress, "rounds" | "tokensSpent"> {
  readonly stop: StopReason | null;
  readonly describe: () => ExperimentProgress;
}

/** Returns the judge of an experiment's own rounds. */
function assessor({
  question,
  pooled: earlier,
  expectedTokens,
}: ExperimentRequest): (own: readonly RunSample[]) => State {
  return (own) => {
    const pooled = numberRounds(sameProgram(earlier, own), 0);
    const pooledRounds = countRounds(pooled);
    const samples = [...pooled, ...numberRounds(own, pooledRounds)];
    const decision = decide(samples, { ...questionAfter(question, pooledRounds), tokenCap: null });
    const rounds = countRounds(own);
    const tokensSpent = own.reduce((sum, { tokens }) => sum + tokens, 0);
    const describe = () => {
      const verdict = decision.describe();
      const ofRound = tokensOfRound(rounds, tokensSpent, expectedTokens);
      const tokensToDecision =
        verdict.moreRounds === null || ofRound === null ? null : verdict.moreRounds * ofRound;
      const counted = countedOf(pooled, verdict.rounds - rounds);
      return { verdict, rounds, tokensSpent, tokensToDecision, samples: own, ...counted };
    };
    return { rounds, tokensSpent, stop: decision.stop, describe };
  };
}

/** Starts no round that is expected to exceed the cap: a round stopped half-way is wasted. */
function isAffordable(
  { question, expectedTokens }: ExperimentRequest,
  { rounds, tokensSpent }: State,
): boolean {
  if (rounds >= question.maxRounds) return false;
  if (question.tokenCap === null) return true;
  const next = tokensOfRound(rounds, tokensSpent, expectedTokens) ?? 0;
  return tokensSpent < question.tokenCap && tokensSpent + next <= question.tokenCap;
}

function tokensOfRound(rounds: number, tokensSpent: number, expected: number | null): number | null {
  return rounds === 0 ? expected : tokensSpent / rounds;
}

/** Numbers samples by the requested round, whatever their own numbers. */
function numberAs(samples: readonly RunSample[], round: number): RunSample[] {
  return samples.map((sample) => ({ ...sample, round }));
}

/**
 * Converts the question about an experiment's own rounds to one about all of them. @param earlier rounds pooled with
 * its own
 */
export function questionAfter(question: Question, earlier: number): Question {
  const { maxRounds, plannedRounds = maxRounds, firstLook } = question;
  const look = firstLook === undefined ? {} : { firstLook: earlier + firstLook };
  return { ...question, ...look, maxRounds: earlier + maxRounds, plannedRounds };
}
