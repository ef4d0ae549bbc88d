import type { Advice } from "../../engine/sessions/advice.ts";
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

/** Returns the advice for a session. One that has ended, or about which little is known, needs no action. */
export function adviceNow({ live, advice }: Pick<SessionSnapshot, "live" | "advice">): Advice {
  return live ? (advice ?? "CONTINUE") : "CONTINUE";
}
