import { fewestSessions } from "../../verdict/power/trial.ts";
import { Boundaries } from "../../verdict/statistics/boundaries.ts";
import { newcombe } from "../../verdict/statistics/pass-rate.ts";
import { dot, Ridge } from "../../verdict/statistics/ridge.ts";
import type { Interval } from "../../verdict/verdict.ts";
import { adjustOutcomes, type Outcome, robustScale, tamed, tamedWeight } from "./adjust.ts";

/** A session of a trial that is over. One without a completed prompt counts only for how prompts end. */
export interface TriedSession extends Outcome {
  readonly given: ReadonlySet<string>;
  readonly withheld: ReadonlySet<string>;
  /** Prompts that were interrupted, or failed. */
  readonly undone: number;
  /** Prompts that hooks told of, and those among them that correct the agent. */
  readonly heard: number;
  readonly corrections: number;
}

export interface TrialQuestion {
  readonly ruleIds: readonly string[];
  /** Sessions by which most of the error may be spent. */
  readonly planned: number;
  /** Error on each side, of each rule. */
  readonly alpha: number;
}

type TrialVerdict = "saves" | "costs" | "undecided";

/** A trial's result for one rule. */
export interface RuleFinding {
  readonly ruleId: string;
  readonly verdict: TrialVerdict;
  /** Why it is undecided, or null. */
  readonly reason: "few_sessions" | "not_shown" | "more_undone" | "more_corrections" | null;
  /**
   * Share of a completed prompt's tokens that it saves; negative for a cost. Null where too little is known. Valid however often
   * it was looked at.
   */
  readonly saving: Interval | null;
  /** Standard errors from the saving to its interval's ends. */
  readonly boundary: number;
  /** Sessions with and without it, up to the last look. */
  readonly sessions: readonly [given: number, withheld: number];
  /** Completed prompts among all, without it and with it, as a difference of shares; null without prompts. */
  readonly completed: Interval | null;
  /** Prompts that correct nothing among those that hooks told of, in the same way; null where none was told of on some side. */
  readonly uncorrected: Interval | null;
}

/** Sessions between looks: more looks find no more (`npm run bench -- trials`). */
const sessionsEach = 10;
export const usualAlpha = 0.05;
/** Share of completed prompts, or of those that correct nothing, that a rule may cost at most before it is called worse. */
const guardMargin = 0.2;

/** A guardrail that a rule's prompts are not shown to keep; null where they keep all. */
export function brokenGuard({
  completed,
  uncorrected,
}: Pick<RuleFinding, "completed" | "uncorrected">): "more_undone" | "more_corrections" | null {
  if (completed === null || completed.low < -guardMargin) return "more_undone";
  return uncorrected !== null && uncorrected.low < -guardMargin ? "more_corrections" : null;
}

/**
 * Analyses a trial's sessions, which are in the order in which they were over, after every tenth. A rule is decided at the first look that
 * shows it, and its figures are those of that look: a later one would need another question. Looks and the boundaries they
 * share hold each rule's error; the errors of several rules add up.
 * @param pause called between looks: many sessions take a while
 */
export async function analyseTrial(
  sessions: readonly TriedSession[],
  question: TrialQuestion,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<RuleFinding[]> {
  const decided = new Map<string, RuleFinding>();
  const outcomes = sessions.filter(({ completed }) => completed > 0);
  const looks = Math.floor(outcomes.length / sessionsEach);
  for (let look = fewestSessions / sessionsEach; look <= looks; look += 1) {
    const isLast = look === looks;
    const seen = outcomes.slice(0, look * sessionsEach);
    const last = seen.at(-1);
    const over = last === undefined ? [] : sessions.slice(0, sessions.indexOf(last) + 1);
    for (const { ruleId, verdict, find } of lookAt({ seen, over }, question))
      if (!decided.has(ruleId) && (isLast || verdict !== "undecided")) decided.set(ruleId, find());
    if (decided.size === question.ruleIds.length) break;
    await pause();
  }
  return question.ruleIds.map((id) => decided.get(id) ?? nothingYet(id, outcomes));
}

function nothingYet(ruleId: string, sessions: readonly TriedSession[]): RuleFinding {
  const none = { saving: null, boundary: Infinity, completed: null, uncorrected: null };
  return {
    ruleId,
    verdict: "undecided",
    reason: "few_sessions",
    sessions: countSessions(ruleId, sessions),
    ...none,
  };
}

function countSessions(ruleId: string, sessions: readonly TriedSession[]): readonly [number, number] {
  return [
    sessions.filter(({ given }) => given.has(ruleId)).length,
    sessions.filter(({ withheld }) => withheld.has(ruleId)).length,
  ];
}

interface Look {
  readonly ruleId: string;
  readonly verdict: TrialVerdict;
  readonly find: () => RuleFinding;
}

interface LookInput {
  /** Sessions with a completed prompt, and all that were over when the last of these was. */
  readonly seen: readonly TriedSession[];
  readonly over: readonly TriedSession[];
}

/** One look at the first sessions. */
function lookAt({ seen, over }: LookInput, { ruleIds, planned, alpha }: TrialQuestion): Look[] {
  const boundary = boundariesOf(alpha, planned).at(seen.length / sessionsEach);
  const bounds = { boundary, level: 1 - 2 * alpha };
  return contrastsOf(seen, ruleIds).map(({ ruleId, sumAt }): Look => {
    const shown = sumAt(0);
    const guards = guardsOf(ruleId, over, bounds);
    const broken = brokenGuard(guards);
    // So few sessions that they bound a saving on one side only decide nothing.
    const isShown = Math.abs(shown) >= boundary && invert(sumAt, bounds) !== null;
    const isDecided = isShown && (shown <= 0 || broken === null);
    const verdict = isDecided ? (shown > 0 ? "saves" : "costs") : "undecided";
    const find = (): RuleFinding => ({
      ruleId,
      verdict,
      reason: isDecided ? null : isShown ? broken : "not_shown",
      saving: invert(sumAt, bounds),
      boundary,
      sessions: countSessions(ruleId, seen),
      ...guards,
    });
    return { ruleId, verdict, find };
  });
}

interface Contrast {
  readonly ruleId: string;
  /**
   * The self-normalized sum of signed tamed residuals, if the rule saved this much of the logarithm of a prompt's tokens: under
   * that truth its variance is 1, by the draw alone.
   */
  readonly sumAt: (saving: number) => number;
}

/**
 * Each session's contrast value is -2 times its residual; with a sign of 1 with the rule and -1 without, its mean is the rule's
 * saving. What the other rules save, by a joint fit, is taken out first.
 */
function contrastsOf(sessions: readonly TriedSession[], ruleIds: readonly string[]): Contrast[] {
  const { residuals, weights, adjust } = adjustOutcomes(sessions);
  const values = residuals.map((residual) => -2 * residual);
  const roots = weights.map(Math.sqrt);
  const signs = ruleIds.map((id) =>
    sessions.map(({ given, withheld }) => (given.has(id) ? 1 : withheld.has(id) ? -1 : 0)),
  );
  // The regression takes its part of a rule's effect with it: what it leaves of the sign is compared with what it leaves of the outcome.
  const columns = signs.map(adjust);
  const rows = sessions.map((_, index) => columns.map((column) => column[index] ?? 0));
  const { effects, scale } = fitTogether({ rows, values, weights, roots });
  // Other rules' effects are estimated from the same sessions: each makes a residual smaller, and the sum vary more.
  const honesty = Math.sqrt(Math.max(0, 1 - (2 * (ruleIds.length - 1)) / sessions.length));
  return ruleIds.map((ruleId, place) => {
    const own = columns[place] ?? [];
    const others = effects.map((effect, index) => (index === place ? 0 : effect));
    const left = values.map((value, index) => value - dot(rows[index] ?? [], others));
    const sumAt = (saving: number) => {
      let [sum, squares] = [0, 0];
      for (const [index, sign] of (signs[place] ?? []).entries()) {
        if (sign === 0) continue;
        const root = roots[index] ?? 0;
        const part = root * tamed((((left[index] ?? 0) - saving * (own[index] ?? 0)) * root) / scale);
        sum += sign * part;
        squares += part * part;
      }
      return squares === 0 ? 0 : (honesty * sum) / Math.sqrt(squares);
    };
    return { ruleId, sumAt };
  });
}

interface Together {
  readonly rows: readonly (readonly number[])[];
  readonly values: readonly number[];
  readonly weights: readonly number[];
  readonly roots: readonly number[];
}

/** All rules' effects by one robust fit, slightly shrunk, and the scale of what they leave. */
function fitTogether({ rows, values, weights, roots }: Together): { effects: number[]; scale: number } {
  const width = rows[0]?.length ?? 0;
  const penalties = Array.from({ length: width }, () => weights[0] ?? 1);
  let effects = penalties.map(() => 0);
  let scale = 1;
  let tameness = weights.map(() => 1);
  for (let step = 0; step < 3; step += 1) {
    const ridge = new Ridge({
      rows,
      weights: weights.map((weight, index) => weight * (tameness[index] ?? 0)),
      penalties,
    });
    effects = ridge.fit(values);
    const left = values.map(
      (value, index) => (value - dot(rows[index] ?? [], effects)) * (roots[index] ?? 0),
    );
    scale = robustScale(left) || 1;
    tameness = left.map((value) => tamedWeight(value / scale));
  }
  return { effects, scale };
}

/** Larger savings or costs of a prompt's log tokens are not looked for: twentyfold. */
const farthest = 3;

/** All savings that the sum does not exclude, as shares; null where it excludes none on some side. */
function invert(
  sumAt: Contrast["sumAt"],
  { boundary, level }: { readonly boundary: number; readonly level: number },
): Interval | null {
  if (sumAt(-farthest) < boundary || sumAt(farthest) > -boundary) return null;
  const share = (goal: number) => -Math.expm1(-crossing(sumAt, goal));
  return { value: share(0), low: share(boundary), high: share(-boundary), level };
}

function crossing(sumAt: Contrast["sumAt"], goal: number): number {
  let [low, high] = [-farthest, farthest];
  for (let halving = 0; halving < 30; halving += 1) {
    const middle = (low + high) / 2;
    if (sumAt(middle) > goal) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** How prompts went with a rule less without it, as differences of shares. */
function guardsOf(
  ruleId: string,
  sessions: readonly TriedSession[],
  bounds: { readonly boundary: number; readonly level: number },
): Pick<RuleFinding, "completed" | "uncorrected"> {
  const withIt = sessions.filter(({ given }) => given.has(ruleId));
  const without = sessions.filter(({ withheld }) => withheld.has(ruleId));
  const difference = (passedIn: (each: TriedSession) => number, runsIn: (each: TriedSession) => number) => {
    const count = (of: readonly TriedSession[]) => ({
      passed: of.reduce((sum, each) => sum + passedIn(each), 0),
      runs: of.reduce((sum, each) => sum + runsIn(each), 0),
    });
    return newcombe(count(without), count(withIt), bounds);
  };
  return {
    completed: difference(
      ({ completed }) => completed,
      ({ completed, undone }) => completed + undone,
    ),
    uncorrected: difference(
      ({ heard, corrections }) => heard - corrections,
      ({ heard }) => heard,
    ),
  };
}

/**
 * Share of the error that is kept back by the planned sessions: for those after them, and because residuals are reckoned anew at each
 * look, so that looks are less alike than boundaries assume (`npm run bench -- trials`).
 */
const keptBack = 0.05;
/** The larger, the more of the error is left for the last looks, and the later a rule that saves much is found. */
const patience = 6;
const kept = new Map<string, Boundaries>();

/** Boundaries that spend little on the first sessions, most of the error by the planned ones, and never all of it. */
function boundariesOf(alpha: number, planned: number): Boundaries {
  const key = `${alpha} ${planned}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = new Boundaries((look) => {
    const share = (look * sessionsEach) / planned;
    return alpha * (share <= 1 ? (1 - keptBack) * share ** patience : 1 - keptBack / share);
  });
  if (kept.size < 16) kept.set(key, made);
  return made;
}
