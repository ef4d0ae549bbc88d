import type { WorkSession } from "../ledger/rule-questions.ts";
import { minSessions } from "../verdict/power.ts";
import { adjustOutcomes, type Outcome, robustScale } from "./trial/adjust.ts";
import { branchKind } from "./trial/trial.ts";

export { plannedSessions } from "./trial/trial.ts";
export { maxHoldOut, minHoldOut, usualHoldOut } from "./trial/pace.ts";

/** Maximum sessions for the noise of real work. More add little, and older ones are of other work. */
export const maxWorkSessions = 200;

export interface WorkNoise {
  /** Standard deviation of a session's mean log tokens a completed prompt, of a session of usual weight in a trial. */
  readonly value: number;
  readonly sessions: number;
}

/**
 * Computes how much sessions of real work differ, as a trial would compare them. The trial's own regression
 * removes what is known before a draw, and outliers have little influence. Null if there are too few.
 */
export function workNoise(sessions: readonly WorkSession[]): WorkNoise | null {
  if (sessions.length < minSessions) return null;
  const { residuals, weights, adjust } = adjustOutcomes(sessions.map(outcomeOf));
  const standard = residuals.map((residual, index) => {
    // The regression fits each session a little, so its residual is smaller by that.
    const left = adjust(residuals.map((_, other) => Number(other === index)))[index] ?? 1;
    return (residual * Math.sqrt(weights[index] ?? 0)) / Math.sqrt(Math.max(minLeft, left));
  });
  const meanWeight = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return { value: robustScale(standard) / Math.sqrt(meanWeight), sessions: sessions.length };
}

/** Share of a session that a regression leaves at least. */
const minLeft = 0.2;

function outcomeOf(session: WorkSession): Outcome {
  const { program, cwd, branch, promptChars, firstAt, completed, meanLog, squares } = session;
  const hour = firstAt === null ? null : new Date(firstAt).getHours();
  const place = `${program} ${cwd ?? ""}`;
  return {
    known: { place, branchKind: branchKind(branch), promptChars, hour },
    completed,
    meanLog,
    squares,
  };
}
