import { seededRandom } from "../../engine/support/seeded-random.ts";

/** A synthetic world of runs with several rules at once, each of known effect. */
export interface JointShape {
  /** Share of tokens that each rule truly saves; negative when it costs. */
  readonly saves: readonly number[];
  /** Standard deviation of the logarithm of a run. */
  readonly noise: number;
  /** Share of runs with tokens multiplied by a Pareto draw: heavy tails. */
  readonly tails?: number;
  /** Rules help on this many of the four tasks only, twice as much and more. */
  readonly helpsOn?: number;
  /** Places of two rules of which only one does anything where both are there. */
  readonly cancelling?: readonly [number, number];
}

export interface JointDraw {
  readonly round: number;
  readonly task: number;
  /** Places of the rules that the run has. */
  readonly rules: readonly number[];
}

/** Tasks of 34 to 120 thousand tokens. */
export const taskSizes = [34_000, 52_000, 79_000, 120_000];
const drift = 0.05;
const [retries, passes] = [0.06, 0.93];

/** Returns a source of runs; each call is a new one. */
export function makeJointWorld(shape: JointShape, seed: number) {
  const luck = seededRandom(seed * 7919 + 13);
  const levels = new Map<number, number>();
  return ({ round, task, rules }: JointDraw): { tokens: number; passed: boolean } => {
    if (!levels.has(round)) levels.set(round, drift * luck.normal());
    const effect = rules.reduce((sum, rule) => sum + Math.log(1 - effectOf(shape, { rule, rules, task })), 0);
    const retry = luck.next() < retries ? 1.4 + 0.6 * luck.next() : 1;
    const tail = luck.next() < (shape.tails ?? 0) ? (1 - luck.next()) ** (-1 / 1.2) : 1;
    const level = (levels.get(round) ?? 0) + effect + shape.noise * luck.normal();
    const tokens = Math.round((taskSizes[task] ?? 0) * Math.exp(level) * retry * Math.min(tail, 30));
    return { tokens, passed: luck.next() < passes };
  };
}

function effectOf(
  { saves, helpsOn = taskSizes.length, cancelling }: JointShape,
  { rule, rules, task }: { rule: number; rules: readonly number[]; task: number },
): number {
  const isCancelled = rule === cancelling?.[1] && rules.includes(cancelling[0]);
  if (isCancelled) return 0;
  return task < helpsOn ? ((saves[rule] ?? 0) * taskSizes.length) / helpsOn : 0;
}
