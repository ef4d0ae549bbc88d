import { isJudgedBefore } from "../../hooks/program.ts";

/**
 * Time limits, somewhat below those that agents give their hooks. A permission request waits for a person,
 * while the agent also asks that person. Milliseconds since the process started.
 */
const limits = { brief: 700, usual: 3500, judged: 4500, person: 595_000 };

/**
 * For a call without an answer from a service: when the hook program starts to judge it alone, until when an
 * answer of the service still counts, and when the agent must have one. Milliseconds since the process
 * started.
 */
export const unansweredTimes = { from: 2500, service: 3500, end: 4300 };

/**
 * Maximum wait of a prompt for a starting service; and the start-up time of Node that counts as slow, in
 * which case no prompt waits. Milliseconds.
 */
const coldPrompt = { wait: 220, slowBoot: 90 };

/**
 * At once on a busy machine. The service's answer then comes with the session's next hook. Milliseconds since the process started. `boot` is the
 * start-up time of Node itself.
 */
export function coldPromptEnd(boot: number): number {
  return boot < coldPrompt.slowBoot ? boot + coldPrompt.wait : boot;
}

/** An unknown event may be `SessionEnd`. */
export function limitOf(event: string): number {
  if (event === "" || event === "SessionEnd") return limits.brief;
  if (isForPerson(event)) return limits.person;
  return isJudgedBefore(event) ? limits.judged : limits.usual;
}

export function isForPerson(event: string): boolean {
  return event === "PermissionRequest";
}
