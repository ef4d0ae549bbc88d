import { urgency } from "../../engine/sessions/advice.ts";
import { adviceNow } from "./status-colours.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";

/** A session silent for longer than this needs nothing now. Milliseconds. */
const stillBusy = 10 * 60_000;

export interface UrgencyOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly isMuted: (session: SessionSnapshot) => boolean;
}

/**
 * Whether the user should act on the session: it nears its compaction, is still working, and is not muted.
 */
export function needsYou(session: SessionSnapshot, options: UrgencyOptions): boolean {
  return gravity(session, options) > 0;
}

/**
 * Returns the session that needs a person first: of those active lately the one with the gravest advice, else the most
 * recently active. @param sessions most recently active first
 */
export function mostUrgent(
  sessions: readonly SessionSnapshot[],
  options: UrgencyOptions,
): SessionSnapshot | undefined {
  const busy = sessions.filter((session) => isBusy(session, options));
  const [gravest] = byUrgency(busy, options);
  return gravest ?? sessions[0];
}

/** Those that need a person first, gravest first; the others in their order. */
export function byUrgency(sessions: readonly SessionSnapshot[], options: UrgencyOptions): SessionSnapshot[] {
  return sessions.toSorted((one, other) => gravity(other, options) - gravity(one, options));
}

function gravity(session: SessionSnapshot, options: UrgencyOptions): number {
  if (!isBusy(session, options) || options.isMuted(session)) return 0;
  return urgency(adviceNow(session));
}

function isBusy({ lastActivity }: SessionSnapshot, { now }: UrgencyOptions): boolean {
  return Math.abs(now - (lastActivity ?? 0)) < stillBusy;
}
