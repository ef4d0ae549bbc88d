import type { Sentence } from "../../../base/language.ts";
import type { BenchPorts, OnProgress } from "../../../bench/bench-request.ts";
import { measuresModel } from "../../../bench/run-facts.ts";
import { type PauseReason } from "../../../bench/bench-entries.ts";
import type { Suite } from "../../../bench/suite.ts";
import { describeComparison } from "../../../compare/compare-outcome.ts";
import type { ExperimentProgress } from "../../../verdict/measure-pair.ts";
import { type Receipt, receiptToMarkdown } from "../../../verdict/receipt.ts";
import type { WorkEnd, JobEvent } from "../../executor.ts";
import type { ComparisonView, InterimVerdict } from "../../answers/compare.ts";

/** `runs` per round: each task once per side. */
export function interimVerdictOf(
  { verdict, rounds, tokensSpent }: ExperimentProgress,
  runs: number,
): InterimVerdict {
  const { kind, stop, saving, moreRounds } = verdict;
  const moreRuns = moreRounds === null ? null : moreRounds * runs;
  return { round: rounds, decision: kind, stop, saving, moreRuns, tokens: tokensSpent };
}

export function comparisonOf(
  receipt: Receipt,
  { suite, price }: { readonly suite: Pick<Suite, "tasks">; readonly price: BenchPorts["price"] },
): ComparisonView {
  const { verdict, question, rounds, spent, seed, driver, recordedBy, expected } = receipt;
  const { kind, stop, saving, savingShare, reason } = verdict;
  const titles = new Map(suite.tasks.map(({ id, title }) => [id, title]));
  const positions = new Map(suite.tasks.map(({ id }, index) => [id, index]));
  const placeOf = ({ taskId }: { readonly taskId: string }) => positions.get(taskId) ?? positions.size;
  return {
    sentence: describeComparison(receipt),
    reason,
    decision: kind,
    stop,
    saving,
    savingShare,
    costShare: receipt.cost?.share ?? null,
    ...(expected === undefined ? {} : { expected: { ...expected, spent } }),
    bar: question.bar,
    sides: [sideOf(receipt, 0, price), sideOf(receipt, 1, price)],
    tasks: verdict.tasks
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map((task) => ({
        taskId: task.taskId,
        title: titles.get(task.taskId) ?? task.taskId,
        value: task.saving?.value ?? null,
        low: task.saving?.low ?? null,
        high: task.saving?.high ?? null,
        runs: task.pairs,
        made: [task.runs[0], task.runs[1]],
        passed: [task.passed[0], task.passed[1]],
        isRegressed: task.regressed,
      })),
    rounds: { own: rounds.own, pooled: rounds.pooled },
    spent: {
      runs: spent.runs,
      tokens: spent.processingTokens,
      usd: measuresModel(driver) ? spent.usd : null,
    },
    seed,
    driver,
    recordedBy: [...recordedBy],
    receipt: { id: receipt.id, at: receipt.at, markdown: receiptToMarkdown(receipt) },
  };
}

function sideOf(
  { sides, verdict, driver, cost }: Receipt,
  index: 0 | 1,
  price: BenchPorts["price"],
): ComparisonView["sides"][number] {
  const { label, model, effort, figures } = sides[index];
  const about = { label, model, effort, passed: verdict.passed[index] };
  if (figures === null) return { ...about, figures };
  const { runs, processingTokens, cacheRead, turns, durationMs } = figures;
  // Both sides' costs differ by what the verdict says of them.
  const paired = cost === undefined ? null : cost.before * (index === 0 ? 1 : 1 - cost.share.value);
  const usd =
    paired ?? (measuresModel(driver) ? price(model, { processing: processingTokens, cacheRead }) : null);
  return {
    ...about,
    figures: { runs, processingTokens, cacheRead, turns, seconds: durationMs / 1000, usd },
  };
}

/** Passes on the progress of rounds as the job's, without each round's own plan and end. */
export class RoundEvents {
  #paused: { readonly reason: PauseReason; readonly detail: Sentence } | null = null;
  readonly #emit: (event: JobEvent) => void;

  constructor(emit: (event: JobEvent) => void) {
    this.#emit = emit;
  }

  readonly onProgress: OnProgress = (progress) => {
    if (progress.kind === "paused") this.#paused = progress;
    else if (progress.kind !== "plan" && progress.kind !== "done") this.#emit(progress);
  };

  /** Returns the reason for a pause: `environment` if a round could not start at all. */
  paused(detail: Sentence): WorkEnd {
    const { reason = "environment" } = this.#paused ?? {};
    return { kind: "paused", reason, detail };
  }
}
