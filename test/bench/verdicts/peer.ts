import type { World } from "./world.ts";

/**
 * The published procedure of the closest system (token-warden 0.43, its README and findings), reimplemented from its description: all
 * runs of one side, then all of the other; the mean saving against twice the rent, within two standard errors propagated from within
 * tasks; one more pass placed by Neyman allocation where that is uncertain; an uncertain candidate is evicted; a re-audit may buy two
 * more uniform passes of both sides, and is judged by its mean, with two strikes.
 */
export interface PeerRules {
  /** Runs per task and side in a pass. */
  readonly runs: number;
  /** Twice the rent. */
  readonly bar: number;
}

interface PeerAssessment {
  /** Tokens saved per run; null where no task was completed on both sides. */
  readonly delta: number | null;
  readonly error: number | null;
  readonly regression: boolean;
  readonly uncertain: boolean;
}

interface Side {
  /** By task: tokens of completed runs, and the number of runs made. */
  readonly completed: number[][];
  readonly made: number[];
}

const confidence = 2;
const maxRetentionRounds = 2;

/** One invocation, which makes runs and counts their tokens. */
class PeerBench {
  tokens = 0;
  runs = 0;
  readonly #context: World;
  readonly #day: number;

  constructor(context: World, day: number) {
    this.#context = context;
    this.#day = day;
  }

  newSide(): Side {
    return { completed: this.#context.tasks.map(() => []), made: this.#context.tasks.map(() => 0) };
  }

  measure(side: Side, withRule: boolean, times: readonly number[]): void {
    for (const [task, wanted] of times.entries())
      for (let time = 0; time < wanted; time += 1) {
        const number = side.made[task] ?? 0;
        const run = { day: this.#day, task, withRule, number, before: this.runs };
        const { tokens, passed } = this.#context.run(run);
        side.made[task] = number + 1;
        if (passed) side.completed[task]?.push(tokens);
        this.tokens += tokens;
        this.runs += 1;
      }
  }
}

interface PeerStep {
  readonly tokens: number;
  readonly runs: number;
  readonly passes: number;
}

/** Decides whether a candidate is admitted. */
export function peerAdmits(
  context: World,
  day: number,
  rules: PeerRules,
): PeerStep & { admitted: boolean; delta: number } {
  const bench = new PeerBench(context, day);
  const [without, withRule] = [bench.newSide(), bench.newSide()];
  const uniform = context.tasks.map(() => rules.runs);
  bench.measure(without, false, uniform);
  bench.measure(withRule, true, uniform);
  let found = assess(without, withRule, rules.bar);
  let passes = 0;
  if (found.uncertain) {
    bench.measure(withRule, true, neyman(without, withRule, sum(uniform)) ?? uniform);
    found = assess(without, withRule, rules.bar);
    passes = 1;
  }
  const admitted = !found.regression && !found.uncertain && (found.delta ?? -1) >= rules.bar;
  return { admitted, delta: found.delta ?? 0, tokens: bench.tokens, runs: bench.runs, passes };
}

/** Re-audits a rule: what it measured, and whether that is below the bar. @param banked the rule's saving as last measured */
export function peerAudits(
  context: World,
  day: number,
  rules: PeerRules,
  banked: number,
): PeerStep & { regression: boolean; below: boolean; delta: number } {
  const bench = new PeerBench(context, day);
  const [without, withRule] = [bench.newSide(), bench.newSide()];
  const uniform = context.tasks.map(() => rules.runs);
  bench.measure(withRule, true, uniform);
  bench.measure(without, false, uniform);
  let found = assess(without, withRule, rules.bar);
  let passes = 0;
  if (found.uncertain) {
    bench.measure(without, false, neyman(withRule, without, sum(uniform)) ?? uniform);
    found = assess(without, withRule, rules.bar);
    passes = 1;
    const extra = retentionRounds(banked - rules.bar, found);
    for (; passes <= extra && found.uncertain; passes += 1) {
      bench.measure(withRule, true, uniform);
      bench.measure(without, false, uniform);
      found = assess(without, withRule, rules.bar);
    }
  }
  const below = found.delta === null || found.delta < rules.bar;
  return {
    regression: found.regression,
    below,
    delta: found.delta ?? 0,
    tokens: bench.tokens,
    runs: bench.runs,
    passes,
  };
}

function retentionRounds(margin: number, { error, regression }: PeerAssessment): number {
  if (regression || error === null || margin <= 0) return 0;
  return Math.min(maxRetentionRounds, Math.max(0, Math.ceil((confidence * error) / margin) - 1));
}

function assess(without: Side, withRule: Side, bar: number): PeerAssessment {
  let regression = false;
  const compared: { before: number[]; after: number[] }[] = [];
  for (const [task, before] of without.completed.entries()) {
    if (before.length === 0) continue;
    const after = withRule.completed[task] ?? [];
    if (after.length === 0) regression = true;
    else compared.push({ before, after });
  }
  if (compared.length === 0) return { delta: null, error: null, regression, uncertain: false };
  const delta = sum(compared.map(({ before, after }) => mean(before) - mean(after))) / compared.length;
  const error = withinTasks(compared);
  const uncertain = !regression && error !== null && Math.abs(delta - bar) < confidence * error;
  return { delta, error, regression, uncertain };
}

function withinTasks(compared: readonly { before: number[]; after: number[] }[]): number | null {
  const pooledBefore = pooledVariance(compared.map(({ before }) => before));
  const pooledAfter = pooledVariance(compared.map(({ after }) => after));
  if (pooledBefore === null || pooledAfter === null) return null;
  const variances = compared.map(
    ({ before, after }) =>
      (variance(before) ?? pooledBefore) / before.length + (variance(after) ?? pooledAfter) / after.length,
  );
  return Math.sqrt(sum(variances)) / compared.length;
}

/** Assigns each extra run to the task where it reduces the error most. */
function neyman(reference: Side, measured: Side, budget: number): number[] | null {
  const pooled = pooledVariance(measured.completed);
  if (pooled === null) return null;
  const extra = measured.completed.map(() => 0);
  const gains = (task: number) => {
    const own = measured.completed[task] ?? [];
    if (own.length === 0 || (reference.completed[task] ?? []).length === 0) return 0;
    const n = own.length + (extra[task] ?? 0);
    return (variance(own) ?? pooled) / (n * (n + 1));
  };
  for (let spent = 0; spent < budget; spent += 1) {
    const all = extra.map((_, task) => gains(task));
    const best = all.indexOf(Math.max(...all));
    if ((all[best] ?? 0) <= 0) break;
    extra[best] = (extra[best] ?? 0) + 1;
  }
  return sum(extra) > 0 ? extra : null;
}

function pooledVariance(vectors: readonly number[][]): number | null {
  let [squares, freedom] = [0, 0];
  for (const values of vectors) {
    const own = variance(values);
    if (own === null) continue;
    squares += own * (values.length - 1);
    freedom += values.length - 1;
  }
  return freedom > 0 ? squares / freedom : null;
}

function variance(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const middle = mean(values);
  return sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
