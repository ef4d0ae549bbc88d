import { adviceOutcome, aftermathOf, hasRun, type Aftermath, type Judged } from "./told-advice.ts";
import { concernsSame } from "./call-key.ts";
import type { Fired, Step, Told } from "./step.ts";

/** Other calls after which a question or a denial is settled. Calls that run beside the one in question are among them. */
const settledAfter = { asked: 8, denied: 5 } as const;

/**
 * Decides what came of something that was told, from the steps of the same chain before and after it; null while that is still open. It
 * only looks where all rules have had their say about the calls before: when another call begins, or the turn ends.
 */
export function outcomeOf(told: Told, before: readonly Step[], after: readonly Step[]): Judged | null {
  const last = after.at(-1);
  if (last === undefined || last.type === "ended" || last.type === "fired") return null;
  const aftermath = aftermathOf(told, after);
  const judged =
    told.done === "advised"
      ? adviceOutcome(told, before, aftermath)
      : stoppedOutcome(told, told.done, aftermath);
  if (judged !== null) return judged;
  return last.type === "over" ? { outcome: "unknown", why: "the session ended" } : null;
}

/**
 * A question or a denial: it is overridden where the call ran (only a person's consent lets it), or where another call ran that has the
 * same effect as far as rules see it. It is ignored where the agent tried the same again, and followed where it went on without it.
 */
function stoppedOutcome(
  told: Told,
  done: "asked" | "denied",
  { ownEnd, steps, begun, closing }: Aftermath,
): Judged | null {
  if (done === "asked" && ownEnd !== null) return { outcome: "overridden", why: "the call was allowed" };
  const same = steps.filter((step): step is Fired => step.type === "fired" && hasSameEffect(step, told));
  if (same.some((step) => hasRun(step, steps)))
    return { outcome: "overridden", why: "another call did the same" };
  if (begun.some(({ whole }) => whole === told.call?.whole))
    return { outcome: "ignored", why: "the same call was made again" };
  if (same.some((step) => step.rule === told.rule && step.done === "denied"))
    return { outcome: "ignored", why: "another call tried the same" };
  const isSettled = begun.length > settledAfter[done] || closing === "stopped" || closing === "prompted";
  if (!isSettled && !(closing === "over" && begun.length > 0)) return null;
  if (same.some((step) => step.rule === told.rule))
    return { outcome: "ignored", why: "another call tried the same" };
  return { outcome: "followed", why: "the call was not made" };
}

/** Whether a rule of the same family fired on another call that is about the same matter. */
function hasSameEffect({ call: other, family }: Fired, { call, family: own }: Told): boolean {
  return other !== null && call !== null && family === own && concernsSame(other, call);
}
