import { runExperiment } from "../../../src/engine/verdict/measure-pair.ts";
import { usualQuestion } from "../../../src/engine/verdict/verdict.ts";
import { oneRound } from "./selection.ts";
import { makeWorld, usualShape } from "./world.ts";

/** Results of comparing two configurations with a known true difference. */
export interface Compared {
  readonly saves: number;
  readonly draws: number;
  readonly saidSaves: number;
  readonly saidCosts: number;
  readonly undecided: number;
  /** Reported as having broken a task that is unchanged. */
  readonly saidBroken: number;
  /** Comparisons with a final interval of the share that misses the true value. */
  readonly missed: number;
  /** `rounds` and `tokens` are means over the draws. */
  readonly rounds: number;
  readonly tokens: number;
}

export async function compareMany(saves: number, draws: number, from = 1): Promise<Compared> {
  const sums = { saidSaves: 0, saidCosts: 0, undecided: 0, saidBroken: 0, missed: 0, rounds: 0, tokens: 0 };
  for (let seed = from; seed < from + draws; seed += 1) {
    const context = makeWorld({ ...usualShape, saves }, seed + 50_000);
    let before = 0;
    const { verdict } = await runExperiment(
      {
        question: usualQuestion("comparison", 0, null),
        pooled: [],
        stored: [],
        expectedTokens: null,
      },
      {
        round: (round) => {
          const samples = oneRound(context, { day: 0, round, before });
          before += samples.length;
          return Promise.resolve({ kind: "made", samples });
        },
      },
      new AbortController().signal,
    );
    const isCheaper = verdict.kind === "saves" || verdict.kind === "cheaper-not-as-good";
    const truth = shareSaved(context.tasks);
    const share = verdict.savingShare;
    sums.saidSaves += Number(isCheaper);
    sums.saidCosts += Number(verdict.kind === "costs");
    sums.undecided += Number(verdict.kind === "undecided");
    sums.saidBroken += Number(verdict.kind === "regression");
    sums.missed += Number(share !== null && (share.low > truth || share.high < truth));
    sums.rounds += verdict.rounds / draws;
    sums.tokens += verdict.tokensSpent / draws;
  }
  return { saves, draws, ...sums };
}

/** Share of all tokens that is saved: tasks weigh in by their token use. */
function shareSaved(tasks: readonly { readonly median: number; readonly saves: number }[]): number {
  const whole = tasks.reduce((sum, { median }) => sum + median, 0);
  return tasks.reduce((sum, { median, saves }) => sum + median * saves, 0) / whole;
}
