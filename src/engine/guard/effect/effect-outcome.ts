import {
  concernsSame,
  isLike,
  type CallKey,
  type Fired,
  type Step,
  type Delivered,
  type Ended,
  type Outcome,
} from "./step.ts";

/** Decides the outcome of advice, by family. Returns null while it is open. Advice does not stop its call. */
function adviceOutcome(delivered: Delivered, before: readonly Step[], aftermath: Aftermath): Judged | null {
  switch (delivered.family) {
    case "facts":
      return factOutcome(delivered, aftermath);
    case "loops":
      return loopOutcome(delivered, before, aftermath);
    case "verification":
      return verificationOutcome(delivered, aftermath);
    case "learned":
      return learnedOutcome(delivered, aftermath);
    case "safety":
    case "secrets":
    case "protect":
    case "waste":
    case "output":
      return habitOutcome(delivered, aftermath);
  }
}

/** Number of other calls that settle a hit, including simultaneous ones. Facts and loops concern the next calls; a habit shows later. */
const settledAfter = { asked: 8, denied: 5, fact: 5, loop: 8, verification: 15, habit: 20, learned: 40 };

/**
 * Decides advice about a missing thing. It is false if the call succeeded: the thing existed. It is followed if a similar call then
 * succeeded. It is progress if the same call succeeded after other calls: the thing exists now. It is ignored if the same call came at
 * once or failed again. Otherwise the outcome is unknown, since the call failed by itself.
 */
function factOutcome(delivered: Delivered, { ownEnd, steps, started, closing }: Aftermath): Judged | null {
  const { call } = delivered;
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
  return started.length > settledAfter.fact || closing !== null
    ? { outcome: "unknown", why: "no similar call succeeded or failed" }
    : null;
}

/**
 * Decides advice about a habit: an endless output, or a file to leave alone. Absence shows nothing, since most calls are made once. So
 * the advice is ignored if the rule fires again, and followed if it does not fire on a similar call. Otherwise the outcome is unknown.
 */
function habitOutcome(delivered: Delivered, { steps, started }: Aftermath): Judged | null {
  if (firesAgain(delivered, steps)) return { outcome: "ignored", why: "the rule fired again" };
  const { call } = delivered;
  const isBetter =
    call !== null &&
    steps.some(
      (step) =>
        step.type === "ended" &&
        step.result !== "failed" &&
        step.call.whole !== call.whole &&
        concernsSame(step.call, call) &&
        !steps.some((other) => other.type === "fired" && other.rule === delivered.rule && isOn(other, step)),
    );
  if (isBetter) return { outcome: "followed", why: "a similar call gave no reason for it" };
  return started.length > settledAfter.habit ? { outcome: "unknown", why: "no similar call was made" } : null;
}

/**
 * Decides advice about a loop of calls. It is false if the reported call finally succeeded by itself. It is progress if a failed call,
 * or a similar one, succeeds, or if an edit ends a series of reads. It is ignored if one of the calls is repeated before any edit. It is
 * followed if the agent does something else or ends its turn.
 */
function loopOutcome(
  delivered: Delivered,
  before: readonly Step[],
  { ownEnd, steps, started, closing }: Aftermath,
): Judged | null {
  const { call } = delivered;
  const hadFailed = resultBefore(call, before) === "failed";
  if (hadFailed && ownEnd?.result === "succeeded") return { outcome: "false", why: "the call succeeded" };
  const repeated = repeatedIn(call, before);
  const isReading = call !== null && looks(call);
  const hasFailed = hadFailed || ownEnd?.result === "failed";
  let hasEdited = false;
  for (const step of steps) {
    if (step.type === "begun" && repeated.has(step.call.whole) && !hasEdited)
      return { outcome: "ignored", why: "the same call was made again" };
    if (step.type === "fired" && saysAgain(step, delivered) && !hasEdited)
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
  if (started.length <= settledAfter.loop) return null;
  return isReading && started.every(looks)
    ? { outcome: "ignored", why: "nothing but reading followed" }
    : { outcome: "followed", why: "other calls were made" };
}

/** Number of successful edits without a check after which the advice counts as ignored. */
const maxEdits = 4;

/**
 * Decides advice about unchecked edits. It is progress if a check runs, whatever its result. It is ignored if as many edits again, many
 * calls, or the end of the turn come first. It is unknown if the user writes first.
 */
function verificationOutcome(delivered: Delivered, { steps, started, closing }: Aftermath): Judged | null {
  if (steps.some((step) => step.type === "ended" && step.call.isCheck))
    return { outcome: "progress", why: "a check was run" };
  const edits = steps.filter(
    (step) => step.type === "ended" && step.call.kind === "edit" && step.result !== "failed",
  );
  if (firesAgain(delivered, steps)) return { outcome: "ignored", why: "the rule fired again" };
  if (edits.length >= maxEdits) return { outcome: "ignored", why: "more was edited without a check" };
  if (closing === "stopped") return { outcome: "ignored", why: "the turn ended without a check" };
  if (closing === "prompted") return { outcome: "unknown", why: "the user wrote" };
  return started.length > settledAfter.verification ? { outcome: "ignored", why: "no check was run" } : null;
}

/**
 * Decides advice from an earlier session, given at a prompt. It is ignored if a later prompt repeats the error or the approach. It is
 * progress if a check passes first.
 */
function learnedOutcome(delivered: Delivered, { steps, started, closing }: Aftermath): Judged | null {
  if (firesAgain(delivered, steps)) return { outcome: "ignored", why: "the rule fired again" };
  if (steps.some((step) => step.type === "ended" && step.call.isCheck && step.result === "succeeded"))
    return { outcome: "progress", why: "a check passed" };
  return started.length > settledAfter.learned || closing === "over"
    ? { outcome: "unknown", why: "no check passed or failed" }
    : null;
}

function firesAgain(delivered: Delivered, steps: readonly Step[]): boolean {
  return steps.some((step) => step.type === "fired" && saysAgain(step, delivered));
}

/** Tests whether a rule fires again on the same subject, so that its advice would be repeated. */
function saysAgain({ rule, done }: Fired, delivered: Delivered): boolean {
  return rule === delivered.rule && (done === "repeated" || done === "asked" || done === "denied");
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

/** Returns the repeated calls, and the reported one. */
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

interface Judged {
  readonly outcome: Outcome;
  /** A clause for people. */
  readonly why: string;
}

/** The steps after a delivered hit: those of its own call, and those of other calls. */
interface Aftermath {
  /** The end of the hit's own call, unless the call had ended before. */
  readonly ownEnd: Ended | null;
  /** Steps of other calls, and of the turn. */
  readonly steps: readonly Step[];
  /** Other calls that began. */
  readonly started: readonly CallKey[];
  /** How the last step ended the turn or the session; null while the agent is working. */
  readonly closing: "stopped" | "prompted" | "over" | null;
}

/** Separates the steps after a delivered hit. */
function aftermathOf(delivered: Delivered, after: readonly Step[]): Aftermath {
  const steps: Step[] = [];
  const started: CallKey[] = [];
  let ownEnd: Ended | null = null;
  // Without ids, equal calls count as one until one of them begins again.
  let isOwnOver = false;
  const isOwn = (step: { readonly use: string | null; readonly call: CallKey | null }) => {
    if (step.use !== null || delivered.use !== null) return step.use === delivered.use;
    return !isOwnOver && step.call !== null && step.call.whole === delivered.call?.whole;
  };
  for (const step of after) {
    if (step.type === "begun") {
      isOwnOver = true;
      steps.push(step);
      started.push(step.call);
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
  return { ownEnd, steps, started, closing: isClosing ? last : null };
}

/** Tests whether a hit's own call has run. */
function hasRun(fired: Fired, steps: readonly Step[]): boolean {
  return steps.some(
    (step) =>
      step.type === "ended" &&
      (fired.use === null && step.use === null
        ? step.call.whole === fired.call?.whole
        : step.use === fired.use),
  );
}

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
  { ownEnd, steps, started, closing }: Aftermath,
): Judged | null {
  if (done === "asked" && ownEnd !== null) return { outcome: "overridden", why: "the call was allowed" };
  const same = steps.filter((step): step is Fired => step.type === "fired" && hasSameEffect(step, delivered));
  if (same.some((step) => hasRun(step, steps)))
    return { outcome: "overridden", why: "another call did the same" };
  if (started.some(({ whole }) => whole === delivered.call?.whole))
    return { outcome: "ignored", why: "the same call was made again" };
  if (same.some((step) => step.rule === delivered.rule && step.done === "denied"))
    return { outcome: "ignored", why: "another call tried the same" };
  const isSettled = started.length > settledAfter[done] || closing === "stopped" || closing === "prompted";
  if (!isSettled && !(closing === "over" && started.length > 0)) return null;
  if (same.some((step) => step.rule === delivered.rule))
    return { outcome: "ignored", why: "another call tried the same" };
  return { outcome: "followed", why: "the call was not made" };
}

/** Tests whether a rule of the same family fired on another call with the same subject. */
function hasSameEffect({ call: other, family }: Fired, { call, family: own }: Delivered): boolean {
  return other !== null && call !== null && family === own && concernsSame(other, call);
}
