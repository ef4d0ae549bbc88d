import { urgency } from "../../engine/context/advice.ts";
import type { SessionSnapshot } from "../../engine/context/snapshot.ts";

/** A session silent for longer than this needs nothing now. Milliseconds. */
const stillBusy = 10 * 60_000;

/**
 * Returns the session that needs a person first: of those active lately the one with the gravest advice, else the most
 * recently active. @param sessions most recently active first
 */
export function mostUrgent(sessions: readonly SessionSnapshot[], now: number): SessionSnapshot | undefined {
  const busy = sessions.filter(({ lastActivity }) => now - (lastActivity ?? 0) < stillBusy);
  const [gravest] = busy.toSorted((one, other) => gravity(other) - gravity(one));
  return gravest ?? sessions[0];
}

function gravity({ advice }: SessionSnapshot): number {
  return advice === null ? 0 : urgency(advice);
}
