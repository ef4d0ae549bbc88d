/**
 * A call that `purser doctor` sends through an installed hook, as its agent would. It is recognized by its
 * session id, reaches no handler and no record, and returns its route. Loaded by the hook program: imports
 * nothing.
 */
const form = /^purser-probe-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** @param unique a UUID, so that an answer belongs to one call */
export function probeSession(unique: string): string {
  return `purser-probe-${unique}`;
}

export function isProbe(sessionId: unknown): sessionId is string {
  return typeof sessionId === "string" && form.test(sessionId);
}

/** Returns the session of a hook's input where the call is played; null for any other. */
export function probeIn(hook: unknown): string | null {
  const sessionId: unknown =
    typeof hook === "object" && hook !== null ? Reflect.get(hook, "session_id") : undefined;
  return isProbe(sessionId) ? sessionId : null;
}

/** How far a simulated call got. */
export interface ProbeAnswer {
  readonly session: string;
  /** The agent, as the answering program identified it. */
  readonly caller: string;
  /** Process id of the service. Null if the hook's program ran without reaching one. */
  readonly servicePid: number | null;
}

export function probeText(answer: ProbeAnswer): string {
  return JSON.stringify({ purserProbe: answer });
}
