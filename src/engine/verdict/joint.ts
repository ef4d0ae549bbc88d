import { sentence, type Sentence } from "../base/language.ts";
import { decide } from "./judge.ts";
import type { Decision } from "./judge-once.ts";
import { questionAfter, type ExperimentEnd, type ExperimentProgress } from "./measure-pair.ts";
import { countedOf, countRounds, numberRounds, sameProgram } from "./statistics/pool.ts";
import type { Question, RunSample } from "./verdict.ts";
import { samplesOf, type JointRun } from "./orthogonal-rows.ts";
import type { RuleSoFar } from "./worth/worth.ts";

export { maxTogether, orthogonalRows, type JointRun } from "./orthogonal-rows.ts";

export interface JointSubject {
  readonly id: string;
  /** Its limits apply to this experiment alone, without the earlier ones. */
  readonly question: Question;
  /** Samples of earlier experiments on the same question. */
  readonly pooled: readonly RunSample[];
}

export interface JointRequest {
  readonly subjects: readonly JointSubject[];
  /** Processing tokens of all rounds; null for no cap. */
  readonly tokenCap: number | null;
  /** Expected processing tokens per round; null where unknown. Actual rounds replace the estimate. */
  readonly expectedTokens: number | null;
  /** Selects the evidence about one subject from runs; by default that of rules dealt by halves. */
  readonly samplesOf?: typeof samplesOf;
  /** The cost of a round with this many open subjects, in any unit; by default all rounds cost the same. */
  readonly sizeOfRound?: (open: number) => number;
  /** Called after each round with all open rules; returns the ids of those that are measured no further. */
  readonly enough?: (open: readonly RuleSoFar[], tokensOfRound: number) => readonly string[];
}

export interface RoundPlan {
  /** From 1. */
  readonly round: number;
  /** Ids of undecided rules: each run has its own half of them. */
  readonly open: readonly string[];
  /** Ids of settled rules that every run has: they save, or remain in the memory. */
  readonly kept: readonly string[];
}

type JointRoundAnswer =
  | { readonly kind: "made"; readonly runs: readonly JointRun[] }
  | { readonly kind: "paused"; readonly detail: Sentence }
  | { readonly kind: "cancelled" };

/** Interim state of one rule. `samples` are its own, from this experiment. */
export interface JointProgress extends ExperimentProgress {
  readonly id: string;
}

export interface JointPorts {
  /** Runs a round: each task as a pair of runs that share the open rules between them. */
  readonly round: (plan: RoundPlan, signal: AbortSignal) => Promise<JointRoundAnswer>;
  /** Called after each round with every rule that was open in it. If absent, nothing is described. */
  readonly onProgress?: (allProgress: readonly JointProgress[]) => Promise<void> | void;
  /**
   * Called once for each rule, as soon as no further round is run for it. Resolves when its result is stored, with
   * whether all further runs have the rule.
   */
  readonly onSettled: (progress: JointProgress) => Promise<{ readonly isKept: boolean }>;
}

export interface JointOutcome {
  readonly end: ExperimentEnd;
  /** Ids of rules that were not settled. */
  readonly open: readonly string[];
  readonly rounds: number;
  /** Processing tokens. */
  readonly tokensSpent: number;
}

/**
 * Measures several rules with the same runs. Each run has its own half of the rules that are still open, so that every
 * run is evidence about each of them. A settled rule leaves the design, and stays in all further runs if it saves. Each
 * rule is judged on its own, and its error rate holds whatever the others do.
 * @param signal cancels the experiment; the round in progress does not count
 */
export async function runJointExperiment(
  request: JointRequest,
  ports: JointPorts,
  signal: AbortSignal,
): Promise<JointOutcome> {
  const { subjects, tokenCap, expectedTokens, sizeOfRound = () => 1 } = request;
  let open = [...subjects];
  const kept: string[] = [];
  const runs = new Map<string, JointRun[]>(subjects.map(({ id }) => [id, []]));
  const breaking = new Set<string>();
  let [rounds, tokensSpent, sizes] = [0, 0, 0];
  const tokensOfNext = () =>
    rounds === 0 ? expectedTokens : (tokensSpent / sizes) * sizeOfRound(open.length);
  // Runs that another rule broke are not evidence about this one.
  const runsOf = (id: string) =>
    (runs.get(id) ?? []).filter(({ rules }) => !rules.some((other) => other !== id && breaking.has(other)));
  const stand = (subject: JointSubject) =>
    judgeSubject(subject, runsOf(subject.id), {
      tokensOfRound: tokensOfNext(),
      samplesOf: request.samplesOf ?? samplesOf,
    });
  const endAs = (end: ExperimentEnd): JointOutcome => ({
    end,
    open: open.map(({ id }) => id),
    rounds,
    tokensSpent,
  });
  while (open.length > 0) {
    if (signal.aborted) return endAs({ kind: "cancelled" });
    const next = tokensOfNext() ?? 0;
    if (tokenCap !== null && (tokensSpent >= tokenCap || tokensSpent + next > tokenCap)) {
      for (const subject of rounds === 0 ? [] : open) {
        const progress = stand(subject).describe();
        await ports.onSettled({ ...progress, verdict: { ...progress.verdict, stop: "cap" } });
      }
      if (rounds > 0) open = [];
      return endAs({ kind: "finished" });
    }
    const plan = { round: rounds + 1, open: open.map(({ id }) => id), kept };
    const answer = await ports.round(plan, signal);
    if (answer.kind !== "made") return endAs(answer);
    if (answer.runs.length === 0)
      return endAs({ kind: "paused", detail: sentence("No run of the round said anything.") });
    rounds += 1;
    sizes += sizeOfRound(open.length);
    tokensSpent += answer.runs.reduce((sum, { tokens }) => sum + tokens, 0);
    for (const { id } of open)
      runs.get(id)?.push(...answer.runs.map((run) => ({ ...run, round: plan.round })));
    const first = open.map(stand);
    const broke = first.filter(({ decision: { kind, stop } }) => kind === "regression" && stop !== null);
    for (const { id } of broke) breaking.add(id);
    const allProgress = broke.length === 0 ? first : open.map(stand);
    for (const { id, decision } of allProgress) if (decision.kind !== "regression") breaking.delete(id);
    await ports.onProgress?.(allProgress.map(({ describe }) => describe()));
    const enough = new Set(request.enough?.(allProgress, tokensOfNext() ?? 0));
    const isSettled = ({ id, decision }: Judged) => decision.stop !== null || enough.has(id);
    for (const { id, decision, describe } of allProgress.filter(isSettled)) {
      open = open.filter((other) => other.id !== id);
      const progress = describe();
      const { isKept } = await ports.onSettled(
        decision.stop === null ? { ...progress, verdict: { ...progress.verdict, stop: "worth" } } : progress,
      );
      if (isKept) kept.push(id);
    }
  }
  return endAs({ kind: "finished" });
}

interface Judged extends RuleSoFar {
  readonly decision: Decision;
  readonly describe: () => JointProgress;
}

function judgeSubject(
  { id, question, pooled: earlier }: JointSubject,
  runs: readonly JointRun[],
  about: { readonly tokensOfRound: number | null; readonly samplesOf: typeof samplesOf },
): Judged {
  const { tokensOfRound } = about;
  const own = about.samplesOf(id, runs);
  const pooled = numberRounds(sameProgram(earlier, own), 0);
  const pooledRounds = countRounds(pooled);
  const asked = { ...questionAfter(question, pooledRounds), tokenCap: null };
  const samples = [...pooled, ...numberRounds(own, pooledRounds)];
  const decision = decide(samples, asked);
  const rounds = countRounds(own);
  const describe = () => {
    const verdict = decision.describe();
    const { moreRounds } = verdict;
    return {
      id,
      verdict,
      rounds,
      tokensSpent: own.reduce((sum, { tokens }) => sum + tokens, 0),
      tokensToDecision: moreRounds === null || tokensOfRound === null ? null : moreRounds * tokensOfRound,
      samples: own,
      ...countedOf(pooled, verdict.rounds - rounds),
    };
  };
  return { id, samples, decision, describe };
}
