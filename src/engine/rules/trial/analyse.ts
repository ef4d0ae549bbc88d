import { errorOfSide } from "../../base/confidence.ts";
import { minSessions } from "../../verdict/power.ts";
import { newcombe, Boundaries, dot, Ridge } from "../../verdict/statistics.ts";
import type { Interval } from "../../verdict/verdict.ts";
import { adjustOutcomes, type Outcome, robustScale, tamed, tamedWeight } from "./adjust.ts";

export interface TriedSession extends Outcome {
  /** Probability of each drawn rule, stored before its draw. */
  readonly chances: ReadonlyMap<string, number>;
  /** Natural logarithm of all its processing tokens, those of interrupted and failed prompts included. */
  readonly logTotal: number;
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
  /** Whether chances were adapted, and no number of sessions is planned. */
  readonly isAdaptive?: boolean;
}

type TrialVerdict = "saves" | "costs" | "undecided";

export interface RuleFinding {
  readonly ruleId: string;
  readonly verdict: TrialVerdict;
  /** Why it is undecided, or null. */
  readonly reason: "few_sessions" | "not_shown" | "not_per_session" | Guard | null;
  /**
   * Share of a completed prompt's tokens that it saves. Negative for a cost. Null if too little is known.
   * Valid however often it is looked at.
   */
  readonly saving: Interval | null;
  /** The same, of a session's tokens: a rule must not save by making the user ask again. */
  readonly perSession: Interval | null;
  /** Share of a session's prompts that it saves. Negative if sessions have more prompts with it. */
  readonly prompts: Interval | null;
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

/** A guardrail that a rule's prompts are not shown to meet. */
export type Guard = "more_undone" | "more_corrections" | "more_prompts";

/** Null if they meet all. */
export function brokenGuard({
  completed,
  uncorrected,
  prompts,
}: Pick<RuleFinding, "completed" | "uncorrected" | "prompts">): Guard | null {
  if (completed === null || completed.low < -guardMargin) return "more_undone";
  if (uncorrected !== null && uncorrected.low < -guardMargin) return "more_corrections";
  return prompts !== null && prompts.high < 0 ? "more_prompts" : null;
}

/**
 * Analyses a trial's sessions in the order of their ends, after every tenth, or after every 25th of guards. A rule is decided at the first
 * conclusive look, and keeps that look's figures: a later look would be another question. Looks and their
 * shared boundaries control each rule's error; the errors of several rules add up. With adapted chances, there is one look, at all
 * sessions: its boundary is valid whenever one looks.
 * @param pause called between looks: many sessions take a while
 */
export async function analyseTrial(
  sessions: readonly TriedSession[],
  question: TrialQuestion,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<RuleFinding[]> {
  const outcomes = sessions.filter(({ completed }) => completed > 0);
  if (question.isAdaptive === true && outcomes.length >= minSessions)
    return lookAt({ seen: outcomes, over: sessions }, question).map(({ find }) => find());
  const decided = new Map<string, RuleFinding>();
  const { each } = question.pace ?? rulePace;
  const looks = question.isAdaptive === true ? 0 : Math.floor(outcomes.length / each);
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
  const none = {
    saving: null,
    perSession: null,
    prompts: null,
    boundary: Infinity,
    completed: null,
    uncorrected: null,
  };
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

/** Sessions, drawn half and half, at which a boundary for any look is narrowest compared with that of a single look. */
const narrowest = 40;

/**
 * Boundary of a self-normalized sum that is valid at every look, by a normal mixture (Robbins 1970; Howard, Ramdas, McAuliffe and
 * Sekhon 2021; for estimated variances Waudby-Smith and others 2021). Draws of a known chance make the sum a martingale, however the
 * chances were adapted.
 * @param information as a number of sessions drawn half and half
 */
function boundaryAtAnyTime(alpha: number, information: number): number {
  if (information <= 0) return Infinity;
  const ratio = information / narrowest;
  return Math.sqrt((1 + 1 / ratio) * (Math.log(1 + ratio) - 2 * Math.log(2 * alpha)));
}

function lookAt(
  { seen, over }: LookInput,
  { ruleIds, planned, alpha, pace = rulePace, isAdaptive = false }: TrialQuestion,
): Look[] {
  const level = 1 - 2 * alpha;
  const ofPrompt = contrastsOf(seen, ruleIds);
  const ofSession = contrastsOf(
    seen.map((each) => ({ ...each, ...one(each.logTotal) })),
    ruleIds,
  );
  const ofCount = contrastsOf(
    seen.map((each) => ({ ...each, ...one(Math.log(each.completed + each.undone)) })),
    ruleIds,
  );
  return ruleIds.map((ruleId, place): Look => {
    const sumAt = ofPrompt[place] ?? none;
    const perSession = ofSession[place] ?? none;
    const boundary = isAdaptive
      ? boundaryAtAnyTime(alpha, informationOf(seen, ruleId))
      : boundariesOf(alpha, planned, pace).at(seen.length / pace.each);
    const bounds = { boundary, level };
    const [shown, shownPerSession] = [sumAt(0), perSession(0)];
    const guards = {
      ...guardsOf(ruleId, over, bounds),
      prompts: invert(ofCount[place] ?? none, bounds),
    };
    const broken = brokenGuard(guards);
    // So few sessions that they bound the saving on one side only decide nothing.
    const isKnown = invert(sumAt, bounds) !== null;
    const costs = isKnown && shownPerSession <= -boundary;
    const isShown = isKnown && shown >= boundary;
    const saves = isShown && shownPerSession >= boundary && broken === null;
    const verdict = costs ? "costs" : saves ? "saves" : "undecided";
    const undecided = isShown ? (broken ?? "not_per_session") : "not_shown";
    const find = (): RuleFinding => ({
      ruleId,
      verdict,
      reason: verdict === "undecided" ? undecided : null,
      saving: invert(sumAt, bounds),
      perSession: invert(perSession, bounds),
      boundary,
      sessions: countSessions(ruleId, seen),
      ...guards,
    });
    return { ruleId, verdict, find };
  });
}

/** An outcome of a whole session. */
function one(value: number): Pick<Outcome, "completed" | "meanLog" | "squares"> {
  return { completed: 1, meanLog: value, squares: 0 };
}

function informationOf(sessions: readonly TriedSession[], ruleId: string): number {
  return sessions.reduce((sum, { chances }) => {
    const chance = chances.get(ruleId) ?? 0;
    return sum + 4 * chance * (1 - chance);
  }, 0);
}

/**
 * Self-normalized sum of bounded residuals under an assumed saving of the logarithm of tokens, each times the draw less its chance. If
 * the assumption is true, its variance is 1, by the draws alone (Robins 1994; of Hadad and others 2021 the weights).
 */
type Contrast = (saving: number) => number;
const none: Contrast = () => 0;

/** The savings of the other rules, from a joint fit, are removed first. */
function contrastsOf(sessions: readonly TriedSession[], ruleIds: readonly string[]): Contrast[] {
  const { residuals, weights, adjust } = adjustOutcomes(sessions);
  const roots = weights.map(Math.sqrt);
  // 1 less with a rule than without it: the coefficient is its saving.
  const draws = ruleIds.map((id) => sessions.map((session) => drawOf(session, id)));
  // The regression also removes a part of a rule's effect, so the adjusted draw is compared with the adjusted
  // outcome.
  const columns = draws.map(adjust);
  const rows = sessions.map((_, index) => columns.map((column) => column[index] ?? 0));
  const { effects, scale } = fitTogether({ rows, values: residuals, weights, roots });
  // Other rules' effects are estimated from the same sessions: each makes a residual smaller, and the sum vary more.
  const honesty = Math.sqrt(Math.max(0, 1 - (2 * (ruleIds.length - 1)) / sessions.length));
  return ruleIds.map((ruleId, place) => {
    const own = columns[place] ?? [];
    const others = effects.map((effect, index) => (index === place ? 0 : effect));
    const left = residuals.map((value, index) => value - dot(rows[index] ?? [], others));
    const variances = sessions.map(({ chances }) => varianceOf(chances.get(ruleId) ?? 0));
    return (saving) => {
      let [sum, squares] = [0, 0];
      for (const [index, draw] of (draws[place] ?? []).entries()) {
        if (draw === 0) continue;
        const root = roots[index] ?? 0;
        const part = root * tamed((((left[index] ?? 0) - saving * (own[index] ?? 0)) * root) / scale);
        sum += draw * part;
        squares += (variances[index] ?? 0) * part * part;
      }
      return squares === 0 ? 0 : (honesty * sum) / Math.sqrt(squares);
    };
  });
}

/** A rule's chance less its draw; 0 if nothing was drawn. */
function drawOf({ given, chances }: Pick<TriedSession, "given" | "chances">, ruleId: string): number {
  const chance = chances.get(ruleId);
  return chance === undefined ? 0 : chance - Number(given.has(ruleId));
}

function varianceOf(chance: number): number {
  return chance * (1 - chance);
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
  const penalties = Array.from({ length: width }, () => (weights[0] ?? 1) / 4);
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
  sumAt: Contrast,
  { boundary, level }: { readonly boundary: number; readonly level: number },
): Interval | null {
  if (sumAt(-farthest) < boundary || sumAt(farthest) > -boundary) return null;
  const share = (goal: number) => -Math.expm1(-crossing(sumAt, goal));
  return { value: share(0), low: share(boundary), high: share(-boundary), level };
}

function crossing(sumAt: Contrast, goal: number): number {
  let [low, high] = [-farthest, farthest];
  for (let halving = 0; halving < 30; halving += 1) {
    const middle = (low + high) / 2;
    if (sumAt(middle) > goal) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Prompts with a rule and without it, weighted so that both sides had the same chances (overlap weights, Li, Morgan and Zaslavsky 2018). */
function guardsOf(
  ruleId: string,
  sessions: readonly TriedSession[],
  bounds: { readonly boundary: number; readonly level: number },
): Pick<RuleFinding, "completed" | "uncorrected"> {
  const drawn = sessions.filter(({ chances }) => chances.has(ruleId));
  const [withIt, without] = [true, false].map((isGiven) =>
    drawn.filter(({ given }) => given.has(ruleId) === isGiven),
  );
  const difference = (passedIn: (each: TriedSession) => number, runsIn: (each: TriedSession) => number) => {
    const count = (of: readonly TriedSession[] = []) => {
      const weights = of.map((each) => Math.abs(drawOf(each, ruleId)));
      const sum = (value: (each: TriedSession, weight: number) => number) =>
        of.reduce((total, each, index) => total + value(each, weights[index] ?? 0), 0);
      const runs = sum((each, weight) => weight * runsIn(each));
      const squares = sum((each, weight) => weight * weight * runsIn(each));
      // As many equally weighted prompts as would be as precise.
      const scale = squares === 0 ? 0 : runs / squares;
      return { passed: scale * sum((each, weight) => weight * passedIn(each)), runs: scale * runs };
    };
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
