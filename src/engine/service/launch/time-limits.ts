/**
 * Time limits, somewhat below what agents give their hooks. A permission request waits for a person, while the agent itself asks that
 * person too. Milliseconds since the process started.
 */
const limits = { brief: 700, usual: 3500, judged: 4500, person: 595_000 };

/** Events before a call of a tool, which guard rules judge, in the agents' own names. */
const judged: ReadonlySet<string> = new Set(["PreToolUse", "BeforeTool", "PreSkillShellCommand"]);

/**
 * Where no service has answered about a call: when the hook program begins to judge it alone, until when an answer of the service still
 * counts, and when the agent must have one. Milliseconds since the process started.
 */
export const unansweredTimes = { from: 2500, service: 3500, end: 4300 };

/** How long a prompt waits for a service that is just starting; and how slowly Node starts where none starts in that time. Milliseconds. */
const coldPrompt = { wait: 220, slowBoot: 90 };

/**
 * Returns when a prompt no longer waits for a service that is just starting, where no hard budget can refuse it: on a busy machine at once.
 * What the service has to say is given with the session's next hook. Milliseconds since the process started.
 * @param boot how long Node itself took to start
 */
export function coldPromptEnd(boot: number): number {
  return boot < coldPrompt.slowBoot ? boot + coldPrompt.wait : boot;
}

export function isJudged(event: string): boolean {
  return judged.has(event);
}

/** Returns when the hook program ends, whatever it waits for. An unknown event may be `SessionEnd`. */
export function limitOf(event: string): number {
  if (event === "" || event === "SessionEnd") return limits.brief;
  if (isPersonAsked(event)) return limits.person;
  return isJudged(event) ? limits.judged : limits.usual;
}

export function isPersonAsked(event: string): boolean {
  return event === "PermissionRequest";
}
