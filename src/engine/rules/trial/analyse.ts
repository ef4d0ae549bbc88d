import { errorOfSide } from "../../base/confidence.ts";
import { minSessions } from "../../verdict/power.ts";
import { newcombe, Boundaries, dot, Ridge } from "../../verdict/statistics.ts";
import type { Interval } from "../../verdict/verdict.ts";
import { adjustOutcomes, type Outcome, robustScale, tamed, tamedWeight } from "./adjust.ts";

export interface TriedSession extends Outcome {
  readonly given: ReadonlySet<string>;
  readonly withheld: ReadonlySet<string>;
  /** Prompts that were interrupted, or failed. */
  readonly undone: number;
  /** Prompts reported by hooks, and those among them that correct the agent. */
  readonly heard: number;
  readonly corrections: number;
}

/** How a trial spends its error. */
export interface Pace {
  /** Sessions between looks. */
  readonly each: number;
  /** The larger, the more of the error is left for the last looks, and the later a large saving is found. */
  readonly patience: number;
  /**
   * Share of the error reserved by the planned sessions. It serves later sessions, and covers that residuals are computed again at
   * each look, so that looks are less alike than boundaries assume (`npm run bench -- trials`, `guard-trials`).
   */
  readonly reserve: number;
}

export interface TrialQuestion {
  readonly ruleIds: readonly string[];
  readonly planned: number;
  /** Default: that of rules. */
  readonly pace?: Pace;
  /** Error on each side, of each rule. */
  readonly alpha: number;
}

type TrialVerdict = "saves" | "costs" | "undecided";

export interface RuleFinding {
  readonly ruleId: string;
  readonly verdict: TrialVerdict;
  /** Why it is undecided, or null. */
  readonly reason: "few_sessions" | "not_shown" | "more_undone" | "more_corrections" | null;
  /**
   * Share of a completed prompt's tokens that it saves. Negative for a cost. Null if too little is known.
   * Valid however often it is looked at.
   */
  readonly saving: Interval | null;
  /** Standard errors from the saving to its interval's ends. */
  readonly boundary: number;
  /** Sessions with and without it, up to the last look. */
  readonly sessions: readonly [given: number, withheld: number];
  /** Completed prompts among all, without it and with it, as a difference of shares; null without prompts. */
  readonly completed: Interval | null;
  /**
   * Share of reported prompts that correct nothing, in the same form. Null if a side has no reported prompts.
   */
  readonly uncorrected: Interval | null;
}

/** More looks find nothing more (`npm run bench -- trials`). */
const rulePace: Pace = { each: 10, patience: 6, reserve: 0.05 };
/** Of the many sessions of a trial of guards, the first few hundred already find a large saving (`npm run bench -- guard-trials`). */
export const guardPace: Pace = { each: 25, patience: 2, reserve: 0.2 };
export const usualAlpha = errorOfSide;
/**
 * Maximum loss in the share of completed prompts, or of prompts without corrections, before a rule counts as
 * worse.
 */
const guardMargin = 0.2;

/** A guardrail that a rule's prompts are not shown to meet. Null if they meet all. */
export function brokenGuard({
  completed,
  uncorrected,
}: Pick<RuleFinding, "completed" | "uncorrected">): "more_undone" | "more_corrections" | null {
  if (completed === null || completed.low < -guardMargin) return "more_undone";
  return uncorrected !== null && uncorrected.low < -guardMargin ? "more_corrections" : null;
}

/**
 * Analyses a trial's sessions in the order of their ends, after every tenth, or after every 25th of guards. A rule is decided at the first
 * conclusive look, and keeps that look's figures: a later look would be another question. Looks and their
 * shared boundaries control each rule's error; the errors of several rules add up.
 * @param pause called between looks: many sessions take a while
 */
export async function analyseTrial(
  sessions: readonly TriedSession[],
  question: TrialQuestion,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<RuleFinding[]> {
  const decided = new Map<string, RuleFinding>();
  const outcomes = sessions.filter(({ completed }) => completed > 0);
  const { each } = question.pace ?? rulePace;
  const looks = Math.floor(outcomes.length / each);
  for (let look = Math.ceil(minSessions / each); look <= looks; look += 1) {
    const isLast = look === looks;
    const seen = outcomes.slice(0, look * each);
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

function lookAt(
  { seen, over }: LookInput,
  { ruleIds, planned, alpha, pace = rulePace }: TrialQuestion,
): Look[] {
  const boundary = boundariesOf(alpha, planned, pace).at(seen.length / pace.each);
  const bounds = { boundary, level: 1 - 2 * alpha };
  return contrastsOf(seen, ruleIds).map(({ ruleId, sumAt }): Look => {
    const shown = sumAt(0);
    const guards = guardsOf(ruleId, over, bounds);
    const broken = brokenGuard(guards);
    // So few sessions that they bound the saving on one side only decide nothing.
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
   * Self-normalized sum of signed bounded residuals under an assumed saving of the logarithm of a prompt's
   * tokens. If the assumption is true, its variance is 1, by the draw alone.
   */
  readonly sumAt: (saving: number) => number;
}

/**
 * Each session's contrast value is -2 times its residual. With a sign of 1 with the rule and -1 without, its
 * mean is the rule's saving. The savings of the other rules, from a joint fit, are removed first.
 */
function contrastsOf(sessions: readonly TriedSession[], ruleIds: readonly string[]): Contrast[] {
  const { residuals, weights, adjust } = adjustOutcomes(sessions);
  const values = residuals.map((residual) => -2 * residual);
  const roots = weights.map(Math.sqrt);
  const signs = ruleIds.map((id) =>
    sessions.map(({ given, withheld }) => (given.has(id) ? 1 : withheld.has(id) ? -1 : 0)),
  );
  // The regression also removes a part of a rule's effect, so the adjusted sign is compared with the adjusted
  // outcome.
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

/** All rules' effects by one robust fit, slightly shrunk, and the scale of the residuals. */
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

/** Maximum saving or cost in log tokens that is searched: twentyfold. */
const farthest = 3;

/** All savings that the sum does not exclude, as shares. Null if it excludes none on one side. */
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

const kept = new Map<string, Boundaries>();

/**
 * Boundaries that spend little error on the first sessions, most by the planned ones, and never all of it.
 */
function boundariesOf(alpha: number, planned: number, { each, patience, reserve }: Pace): Boundaries {
  const key = `${alpha} ${planned} ${each} ${patience} ${reserve}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = new Boundaries((look) => {
    const share = (look * each) / planned;
    return alpha * (share <= 1 ? (1 - reserve) * share ** patience : 1 - reserve / share);
  });
  if (kept.size < 16) kept.set(key, made);
  return made;
}
