import { isJudgedBefore } from "../../hooks/program.ts";

/**
 * Time limits, somewhat below those that agents give their hooks. A permission request waits for a person,
 * while the agent also asks that person. Milliseconds since the process started.
 */
const limits = { brief: 700, usual: 3500, judged: 4500, patient: 17_500, person: 595_000 };

/**
 * For a call without an answer from a service: when the hook program starts to judge it alone, until when an
 * answer of the service still counts, and when the agent must have one. Milliseconds since the process
 * started.
 */
export const unansweredTimes = { from: 2500, service: 3500, end: 4300, patientEnd: 17_000 };

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

/**
 * An unknown event may be `SessionEnd`.
 * @param isPatient a call must be judged, and the agent waits for long: a busy machine then stops no safe call
 */
export function limitOf(event: string, isPatient = false): number {
  if (event === "" || event === "SessionEnd") return limits.brief;
  if (isForPerson(event)) return limits.person;
  if (!isJudgedBefore(event)) return limits.usual;
  return isPatient ? limits.patient : limits.judged;
}

export function isForPerson(event: string): boolean {
  return event === "PermissionRequest";
}
