import { urgency, type Advice } from "../../engine/sessions/advice.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";

/** A colour of the status bar: none, the editor's colour of warnings, or that of errors. */
export type Severity = "default" | "warning" | "error";

/** The colour for each advice. */
export const severities: Readonly<Record<Advice, Severity>> = {
  CONTINUE: "default",
  WRAP_UP: "warning",
  END_TURN: "error",
};
const gravity = { default: 0, warning: 1, error: 2 };

export function graver(one: Severity, other: Severity): Severity {
  return gravity[other] > gravity[one] ? other : one;
}

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
