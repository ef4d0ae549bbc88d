import { concernsSame, isLike, type CallKey } from "./call-key.ts";
import type { Fired, Step, Told, Ended, Outcome } from "./step.ts";

/** What came of advice, by family; null while it is open. The call that it was told about runs all the same. */
export function adviceOutcome(told: Told, before: readonly Step[], aftermath: Aftermath): Judged | null {
  switch (told.family) {
    case "facts":
      return factOutcome(told, aftermath);
    case "loops":
      return loopOutcome(told, before, aftermath);
    case "verification":
      return verificationOutcome(told, aftermath);
    case "learned":
      return learnedOutcome(told, aftermath);
    case "safety":
    case "secrets":
    case "protect":
    case "waste":
    case "output":
      return habitOutcome(told, aftermath);
  }
}

/** Other calls after which advice is settled: a fact or a loop is about what the agent does now, a habit shows when it does the like again. */
const settledAfter = { fact: 5, loop: 8, verification: 15, habit: 20, learned: 40 };

/**
 * A missing thing. False where the call succeeded: it was there. Followed where a similar call, not the same, then succeeded; progress
 * where the same call did after something else was done, so that the thing is there now. Ignored where the same call was made at once
 * again, or failed again. Otherwise nothing is known, since the call failed by itself.
 */
function factOutcome(told: Told, { ownEnd, steps, begun, closing }: Aftermath): Judged | null {
  const { call } = told;
  if (ownEnd?.result === "succeeded" && !ownEnd.call.hidesFailure)
    return { outcome: "false", why: "the call succeeded" };
  let hasWorked = false;
  for (const step of steps) {
    const isSame = "call" in step && step.call?.whole === call?.whole;
    if (step.type === "begun" && isSame && !hasWorked)
      return { outcome: "ignored", why: "the same call was made again" };
    if (step.type !== "ended") continue;
    if (isSame && step.result === "failed") return { outcome: "ignored", why: "the same call failed again" };
    if (step.result === "succeeded" && isSame)
      return { outcome: "progress", why: "the call succeeded later" };
    if (step.result === "succeeded" && call !== null && isLike(step.call, call))
      return { outcome: "followed", why: "a similar call succeeded" };
    hasWorked = true;
  }
  return begun.length > settledAfter.fact || closing !== null
    ? { outcome: "unknown", why: "no similar call succeeded or failed" }
    : null;
}

/**
 * A habit: an output without end, a file to leave alone. One that was told of never shows by its absence, since most calls are made once.
 * So it is ignored where the rule fires again, and followed where a similar call is made on which it does not; otherwise nothing is known.
 */
function habitOutcome(told: Told, { steps, begun }: Aftermath): Judged | null {
  if (firesAgain(told, steps)) return { outcome: "ignored", why: "the rule fired again" };
  const { call } = told;
  const isBetter =
    call !== null &&
    steps.some(
      (step) =>
        step.type === "ended" &&
        step.result !== "failed" &&
        step.call.whole !== call.whole &&
        concernsSame(step.call, call) &&
        !steps.some((other) => other.type === "fired" && other.rule === told.rule && isOn(other, step)),
    );
  if (isBetter) return { outcome: "followed", why: "a similar call gave no reason for it" };
  return begun.length > settledAfter.habit ? { outcome: "unknown", why: "no similar call was made" } : null;
}

/**
 * A loop: calls that were made again and again. False where the call that was told of succeeded at last by itself. Progress where one of
 * them, or a similar one, succeeds that had failed, or an edit ends a row of reads. Ignored where one of them is made again before
 * anything was edited. Followed where the agent does something else, or ends its turn: it had repeated itself until then.
 */
function loopOutcome(
  told: Told,
  before: readonly Step[],
  { ownEnd, steps, begun, closing }: Aftermath,
): Judged | null {
  const { call } = told;
  const hadFailed = resultBefore(call, before) === "failed";
  if (hadFailed && ownEnd?.result === "succeeded") return { outcome: "false", why: "the call succeeded" };
  const repeated = repeatedIn(call, before);
  const isReading = call !== null && looks(call);
  const hasFailed = hadFailed || ownEnd?.result === "failed";
  let hasEdited = false;
  for (const step of steps) {
    if (step.type === "begun" && repeated.has(step.call.whole) && !hasEdited)
      return { outcome: "ignored", why: "the same call was made again" };
    if (step.type === "fired" && saysAgain(step, told) && !hasEdited)
      return { outcome: "ignored", why: "the rule fired again" };
    if (step.type !== "ended" || step.result !== "succeeded") continue;
    if (
      hasFailed &&
      (repeated.has(step.call.whole) ||
        (call !== null && step.call.kind === call.kind && isLike(step.call, call)))
    )
      return { outcome: "progress", why: "what had failed succeeded" };
    hasEdited ||= step.call.kind === "edit";
    if (isReading && hasEdited) return { outcome: "progress", why: "a file was edited" };
  }
  if (closing === "stopped") return { outcome: "followed", why: "the turn ended" };
  if (closing === "prompted") return { outcome: "unknown", why: "the user wrote" };
  if (begun.length <= settledAfter.loop) return null;
  return isReading && begun.every(looks)
    ? { outcome: "ignored", why: "nothing but reading followed" }
    : { outcome: "followed", why: "other calls were made" };
}

/** Successful edits without a check that ignore the advice to check. */
const mostEdits = 4;

/**
 * Edits without a check. Progress where a check runs, whatever it finds. Ignored where as many edits again, many calls, or the end of the
 * turn come first. Where the user writes before, the next step is the user's.
 */
function verificationOutcome(told: Told, { steps, begun, closing }: Aftermath): Judged | null {
  if (steps.some((step) => step.type === "ended" && step.call.isCheck))
    return { outcome: "progress", why: "a check was run" };
  const edits = steps.filter(
    (step) => step.type === "ended" && step.call.kind === "edit" && step.result !== "failed",
  );
  if (firesAgain(told, steps)) return { outcome: "ignored", why: "the rule fired again" };
  if (edits.length >= mostEdits) return { outcome: "ignored", why: "more was edited without a check" };
  if (closing === "stopped") return { outcome: "ignored", why: "the turn ended without a check" };
  if (closing === "prompted") return { outcome: "unknown", why: "the user wrote" };
  return begun.length > settledAfter.verification ? { outcome: "ignored", why: "no check was run" } : null;
}

/**
 * What an earlier session knows, told at a prompt. Ignored where a later prompt has the same error or way again, progress where a check
 * passes first.
 */
function learnedOutcome(told: Told, { steps, begun, closing }: Aftermath): Judged | null {
  if (firesAgain(told, steps)) return { outcome: "ignored", why: "the rule fired again" };
  if (steps.some((step) => step.type === "ended" && step.call.isCheck && step.result === "succeeded"))
    return { outcome: "progress", why: "a check passed" };
  return begun.length > settledAfter.learned || closing === "over"
    ? { outcome: "unknown", why: "no check passed or failed" }
    : null;
}

function firesAgain(told: Told, steps: readonly Step[]): boolean {
  return steps.some((step) => step.type === "fired" && saysAgain(step, told));
}

/** Whether a rule fires about the matter that it told of: it would have been told again. */
function saysAgain({ rule, done }: Fired, told: Told): boolean {
  return rule === told.rule && (done === "repeated" || done === "asked" || done === "denied");
}

function isOn(fired: Fired, step: Extract<Step, { type: "ended" }>): boolean {
  return fired.use === null && step.use === null
    ? fired.call?.whole === step.call.whole
    : fired.use === step.use;
}

function looks({ kind }: CallKey): boolean {
  return kind === "read" || kind === "search" || kind === "list";
}

function resultBefore(call: CallKey | null, before: readonly Step[]): string | null {
  const last = before.findLast((step) => step.type === "ended" && step.call.whole === call?.whole);
  return last?.type === "ended" ? last.result : null;
}

/** The calls that were made more than once, and the one that was told of. */
function repeatedIn(call: CallKey | null, before: readonly Step[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set(call === null ? [] : [call.whole]);
  for (const step of before) {
    if (step.type !== "begun") continue;
    if (seen.has(step.call.whole)) repeated.add(step.call.whole);
    seen.add(step.call.whole);
  }
  return repeated;
}

export interface Judged {
  readonly outcome: Outcome;
  /** A clause for people. */
  readonly why: string;
}

/** The steps after something was told, with those of the call itself taken apart from those of other calls. */
export interface Aftermath {
  /** The end of the call that it was told about, unless that had ended before. */
  readonly ownEnd: Ended | null;
  /** Steps of other calls, and of the turn. */
  readonly steps: readonly Step[];
  /** Other calls that began. */
  readonly begun: readonly CallKey[];
  /** How the last step ended the turn or the session; null while the agent works. */
  readonly closing: "stopped" | "prompted" | "over" | null;
}

/** Takes the steps after something was told apart. */
export function aftermathOf(told: Told, after: readonly Step[]): Aftermath {
  const steps: Step[] = [];
  const begun: CallKey[] = [];
  let ownEnd: Ended | null = null;
  // Without ids, equal calls are the same until one of them begins again.
  let isOwnOver = false;
  const isOwn = (step: { readonly use: string | null; readonly call: CallKey | null }) => {
    if (step.use !== null || told.use !== null) return step.use === told.use;
    return !isOwnOver && step.call !== null && step.call.whole === told.call?.whole;
  };
  for (const step of after) {
    if (step.type === "begun") {
      isOwnOver = true;
      steps.push(step);
      begun.push(step.call);
    } else if (step.type === "ended" || step.type === "fired") {
      if (!isOwn(step)) steps.push(step);
      else if (step.type === "ended") {
        ownEnd ??= step;
        isOwnOver = true;
      }
    } else steps.push(step);
  }
  const last = after.at(-1)?.type;
  const isClosing = last === "stopped" || last === "prompted" || last === "over";
  return { ownEnd, steps, begun, closing: isClosing ? last : null };
}

/** Whether the call on which a rule fired has run. */
export function hasRun(fired: Fired, steps: readonly Step[]): boolean {
  return steps.some(
    (step) =>
      step.type === "ended" &&
      (fired.use === null && step.use === null
        ? step.call.whole === fired.call?.whole
        : step.use === fired.use),
  );
}
