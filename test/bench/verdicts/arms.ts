import { controlsAt } from "../../../src/engine/bench/plan.ts";
import { armQuestion, runArms } from "../../../src/engine/verdict/arms.ts";
import { runExperiment } from "../../../src/engine/verdict/measure-pair.ts";
import type { JointRun } from "../../../src/engine/verdict/orthogonal-rows.ts";
import { type Verdict, type RunSample, usualQuestion } from "../../../src/engine/verdict/verdict.ts";
import { makeWorld, usualShape, type World, type WorldShape } from "./world.ts";

/** Results of several changes, compared with shared runs of the unchanged configuration or each with runs of its own. */
export interface ComparedArms {
  readonly how: Way;
  readonly saves: readonly number[];
  readonly draws: number;
  /**
   * Family error: draws with a change reported as saving that saves nothing, or as costing that costs
   * nothing.
   */
  readonly falseSaves: number;
  readonly falseCosts: number;
  /** Draws in which the first change that saves is found. */
  readonly found: number;
  /** Intervals of a share, at the arms' own level, that miss the true value; of all arms. */
  readonly missed: number;
  /** Mean of a draw. */
  readonly tokens: number;
}

/** How arms are measured: `alone` with the whole error each, `apart` with their part of it. */
export type Way = "shared" | "apart" | "alone";

const never = new AbortController().signal;

/** The true savings of three changes. */
export const armsSaving: readonly (readonly number[])[] = [
  [0, 0, 0],
  [0.2, 0, 0],
  [0.2, 0, -0.2],
];
export const ways: readonly Way[] = ["shared", "apart", "alone"];

/** @param saves by arm: what it truly saves, as a share */
export async function compareMany(
  saves: readonly number[],
  way: Way,
  { draws, from = 1 }: { readonly draws: number; readonly from?: number },
  shape: WorldShape = usualShape,
): Promise<ComparedArms> {
  const sums = { falseSaves: 0, falseCosts: 0, found: 0, missed: 0, tokens: 0 };
  for (let seed = from; seed < from + draws; seed += 1) {
    const arms = armsOf(saves, shape, seed + 70_000);
    const { verdicts, tokens } = await (way === "shared" ? measureShared : measureApart)(arms, way, seed);
    const isCheaper = ({ kind }: Verdict) => kind === "saves" || kind === "cheaper-not-as-good";
    const any = (isSo: (verdict: Verdict, truth: number) => boolean) =>
      Number(verdicts.some((verdict, index) => isSo(verdict, saves[index] ?? 0)));
    sums.falseSaves += any((verdict, truth) => truth <= 0 && isCheaper(verdict));
    sums.falseCosts += any((verdict, truth) => truth >= 0 && verdict.kind === "costs");
    sums.found += Number(verdicts.some((verdict, index) => (saves[index] ?? 0) > 0 && isCheaper(verdict)));
    sums.tokens += tokens / draws;
    for (const [index, { savingShare }] of verdicts.entries()) {
      const truth = arms[index]?.truth ?? 0;
      sums.missed += Number(savingShare !== null && (savingShare.low > truth || savingShare.high < truth));
    }
  }
  return { how: way, saves, draws, ...sums };
}

interface SimulatedArm {
  readonly world: World;
  /** Share of all tokens that it saves. */
  readonly truth: number;
}

/** Worlds of the same tasks that differ in what a change saves, and in the luck of its runs. */
function armsOf(saves: readonly number[], shape: WorldShape, seed: number): SimulatedArm[] {
  return saves.map((share) => {
    const world = makeWorld({ ...shape, saves: share }, seed);
    const whole = world.tasks.reduce((sum, { median }) => sum + median, 0);
    const truth = world.tasks.reduce((sum, { median, saves: own }) => sum + median * own, 0) / whole;
    return { world, truth };
  });
}

interface MeasuredArms {
  readonly verdicts: readonly Verdict[];
  readonly tokens: number;
}

const question = usualQuestion("comparison", 0, null);
/** A day's luck of a side holds so many numbers: each arm's runs have their own. */
const numbersOfArm = 64;

async function measureShared(arms: readonly SimulatedArm[], _: Way, seed: number): Promise<MeasuredArms> {
  const verdicts: Verdict[] = [];
  let before = 0;
  const outcome = await runArms(
    {
      subjects: arms.map((__, index) => ({
        id: String(index + 1),
        question: armQuestion(question, arms.length),
        pooled: [],
      })),
      tokenCap: null,
      expectedTokens: null,
    },
    {
      round: ({ round, open }) => {
        const runs = arms[0]?.world.tasks.flatMap((task, place) => {
          const count = controlsAt({
            arms: open.length,
            place: (round - 1) * usualShape.tasks + place,
            start: (seed * 0.618) % 1,
          });
          const controls = Array.from({ length: count }, (__, copy) => ({
            arm: 0,
            number: 2 * (round - 1) + copy,
          }));
          const own = open.map((id) => ({ arm: Number(id), number: round - 1 }));
          const all = [...controls, ...own];
          const turn = (round + place) % all.length;
          return [...all.slice(turn), ...all.slice(0, turn)].map(({ arm, number }): JointRun => {
            before += 1;
            const { world } = arms[Math.max(0, arm - 1)] ?? { world: null };
            const luck = arm === 0 ? number : numbersOfArm * (arm - 1) + number;
            const run = world?.run({ day: 0, task: place, withRule: arm > 0, number: luck, before });
            const rules = arm === 0 ? [] : [String(arm)];
            return {
              taskId: task.id,
              weight: 1,
              round,
              rules,
              tokens: run?.tokens ?? 0,
              passed: run?.passed ?? false,
            };
          });
        });
        return Promise.resolve({ kind: "made", runs: runs ?? [] });
      },
      onSettled: ({ id, verdict }) => {
        verdicts[Number(id) - 1] = verdict;
        return Promise.resolve({ isKept: false });
      },
    },
    never,
  );
  return { verdicts, tokens: outcome.tokensSpent };
}

/** One comparison after the other, each with runs of its own. */
async function measureApart(arms: readonly SimulatedArm[], way: Way): Promise<MeasuredArms> {
  const verdicts: Verdict[] = [];
  let tokens = 0;
  for (const [index, { world }] of arms.entries()) {
    let before = 0;
    const asked = way === "apart" ? { ...question, alpha: question.alpha / arms.length } : question;
    const { verdict } = await runExperiment(
      { question: asked, pooled: [], stored: [], expectedTokens: null },
      {
        round: (round) => {
          const samples = world.tasks.flatMap(({ id }, task) =>
            ([0, 1] as const).map((place): RunSample => {
              const side = (round + task) % 2 === 0 ? place : place === 0 ? (1 as const) : (0 as const);
              before += 1;
              const number = numbersOfArm * index + round - 1;
              const run = world.run({ day: 0, task, withRule: side === 1, number, before });
              return { taskId: id, weight: 1, side, round, ...run };
            }),
          );
          return Promise.resolve({ kind: "made", samples });
        },
      },
      never,
    );
    verdicts.push(verdict);
    tokens += verdict.tokensSpent;
  }
  return { verdicts, tokens };
}
