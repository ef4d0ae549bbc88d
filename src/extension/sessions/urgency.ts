import { urgency, type Advice } from "../../engine/sessions/advice.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";

/** The meaning of colours: what is left until compaction, or the advice by the user's thresholds. */
export type ColourRule = "left" | "advice";

type Room = Pick<SessionSnapshot, "turnsLeft" | "headroom" | "threshold" | "occupancy" | "window">;

/** With so much left until compaction, or less, a person should act. Turns, and the share of all room. */
const wrapUp = { turns: 6, share: 0.2 };
const endTurn = { turns: 2, share: 0.08 };
/**
 * How far figures must recover before the advice becomes calmer, so that a figure hovering at a limit does
 * not flicker.
 */
const hysteresis = { turns: 1, share: 0.03 };

/** @param before the advice given before in the same context */
export function adviceByRoom(session: Room, before: Advice = "CONTINUE"): Advice {
  const turns = session.turnsLeft.value ?? Infinity;
  const share = shareLeft(session) ?? Infinity;
  const now = level(turns, share);
  if (urgency(now) >= urgency(before)) return now;
  const eased = level(turns - hysteresis.turns, share - hysteresis.share);
  return urgency(eased) < urgency(before) ? eased : before;
}

function level(turns: number, share: number): Advice {
  if (turns <= endTurn.turns || share <= endTurn.share) return "END_TURN";
  return turns <= wrapUp.turns || share <= wrapUp.share ? "WRAP_UP" : "CONTINUE";
}

/**
 * Share of the room until compaction; of the window if nothing compacts automatically. Null while neither is
 * known.
 */
function shareLeft({ headroom, threshold, occupancy, window }: Room): number | null {
  if (headroom.value !== null && threshold.value !== null && threshold.value > 0)
    return headroom.value / threshold.value;
  if (occupancy.value === null || window.value === null || window.value <= 0) return null;
  return 1 - occupancy.value / window.value;
}

/** What the user should do now about each session. Remembers its last advice for the hysteresis. */
export class ActNow {
  readonly #rule: () => ColourRule;
  #advised = new Map<string, { readonly compactions: number; readonly advice: Advice }>();

  constructor(rule: () => ColourRule) {
    this.#rule = rule;
  }

  /** A session that has ended needs no action. */
  of(session: SessionSnapshot): Advice {
    const { id, live, compactions } = session;
    if (!live) return "CONTINUE";
    // The service remembers its own advice for the hysteresis.
    if (this.#rule() === "advice") return session.advice ?? "CONTINUE";
    const last = this.#advised.get(id);
    const advice = adviceByRoom(session, last?.compactions === compactions ? last.advice : "CONTINUE");
    this.#advised.set(id, { compactions, advice });
    return advice;
  }

  /** Forgets sessions that are gone. */
  keep(sessions: readonly Pick<SessionSnapshot, "id">[]): void {
    const ids = new Set(sessions.map(({ id }) => id));
    this.#advised = new Map([...this.#advised].filter(([id]) => ids.has(id)));
  }
}

/** A session silent for longer than this needs nothing now. Milliseconds. */
const stillBusy = 10 * 60_000;

export interface UrgencyOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What a person should do now about the session. */
  readonly adviceOf: (session: SessionSnapshot) => Advice;
  readonly isMuted: (id: string) => boolean;
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
  if (!isBusy(session, options) || options.isMuted(session.id)) return 0;
  return urgency(options.adviceOf(session));
}

function isBusy({ lastActivity }: SessionSnapshot, { now }: UrgencyOptions): boolean {
  return Math.abs(now - (lastActivity ?? 0)) < stillBusy;
}
