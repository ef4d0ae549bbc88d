import type { CallKey } from "./call-key.ts";
import type { Ended, Fired, Outcome, Step, Told } from "./step.ts";

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
