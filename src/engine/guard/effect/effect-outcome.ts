import { adviceOutcome, aftermathOf, hasRun, type Aftermath, type Judged } from "./advice-outcome.ts";
import { concernsSame } from "./call-key.ts";
import type { Fired, Step, Delivered } from "./step.ts";

/** Number of other calls that settle a question or a denial, including calls that run at the same time. */
const settledAfter = { asked: 8, denied: 5 } as const;

/**
 * Decides the outcome of a delivered hit from the steps of its chain before and after it. Returns null while the outcome is open. It
 * decides only when all rules have judged the earlier calls: when another call begins, or the turn ends.
 */
export function outcomeOf(
  delivered: Delivered,
  before: readonly Step[],
  after: readonly Step[],
): Judged | null {
  const last = after.at(-1);
  if (last === undefined || last.type === "ended" || last.type === "fired") return null;
  const aftermath = aftermathOf(delivered, after);
  const judged =
    delivered.done === "advised"
      ? adviceOutcome(delivered, before, aftermath)
      : stoppedOutcome(delivered, delivered.done, aftermath);
  if (judged !== null) return judged;
  return last.type === "over" ? { outcome: "unknown", why: "the session ended" } : null;
}

/**
 * Decides the outcome of a question or a denial. It is overridden if the call ran, which takes a person's consent, or if another call
 * with the same effect ran. It is ignored if the agent tried the same call again, and followed if the agent went on without it.
 */
function stoppedOutcome(
  delivered: Delivered,
  done: "asked" | "denied",
  { ownEnd, steps, begun, closing }: Aftermath,
): Judged | null {
  if (done === "asked" && ownEnd !== null) return { outcome: "overridden", why: "the call was allowed" };
  const same = steps.filter((step): step is Fired => step.type === "fired" && hasSameEffect(step, delivered));
  if (same.some((step) => hasRun(step, steps)))
    return { outcome: "overridden", why: "another call did the same" };
  if (begun.some(({ whole }) => whole === delivered.call?.whole))
    return { outcome: "ignored", why: "the same call was made again" };
  if (same.some((step) => step.rule === delivered.rule && step.done === "denied"))
    return { outcome: "ignored", why: "another call tried the same" };
  const isSettled = begun.length > settledAfter[done] || closing === "stopped" || closing === "prompted";
  if (!isSettled && !(closing === "over" && begun.length > 0)) return null;
  if (same.some((step) => step.rule === delivered.rule))
    return { outcome: "ignored", why: "another call tried the same" };
  return { outcome: "followed", why: "the call was not made" };
}

/** Tests whether a rule of the same family fired on another call with the same subject. */
function hasSameEffect({ call: other, family }: Fired, { call, family: own }: Delivered): boolean {
  return other !== null && call !== null && family === own && concernsSame(other, call);
}
