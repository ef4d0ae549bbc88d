import type { AgentOverview } from "./agent-overview.ts";
import { usualGap } from "./due.ts";

/** `person`: the agent has no schedule. */
export const wakers = ["service", "cron", "nobody", "person"] as const;
type Waker = (typeof wakers)[number];

/** Of an agent with a schedule. */
export const idleReasons = ["faulty", "not_agreed", "off", "not_trusted"] as const;

export interface WokenBy {
  readonly waker: Waker;
  /** For `nobody`. */
  readonly why: (typeof idleReasons)[number] | null;
}

/**
 * A cron counts as removed if it has not woken an agent for this time, and for three of its scheduled times.
 * Milliseconds.
 */
const minMemoryMs = 86_400_000;

/** As far as files show: a cron shows by its wakes. `isOn`: the service wakes agents at all. `now`: milliseconds since the epoch. */
export function wakerOf(
  { agent, faults, isAgreed, timedBy }: Pick<AgentOverview, "agent" | "faults" | "isAgreed" | "timedBy">,
  { isOn, isTrusted, now }: { readonly isOn: boolean; readonly isTrusted: boolean; readonly now: number },
): WokenBy {
  if (agent === null || faults.length > 0) return { waker: "nobody", why: "faulty" };
  if (agent.schedule === undefined) return { waker: "person", why: null };
  if (!isAgreed) return { waker: "nobody", why: "not_agreed" };
  if (isOn && isTrusted) return { waker: "service", why: null };
  const memory = Math.max(minMemoryMs, 3 * (usualGap(agent, now) ?? 0));
  if (timedBy?.by === "terminal" && now - timedBy.at < memory) return { waker: "cron", why: null };
  return { waker: "nobody", why: isOn ? "not_trusted" : "off" };
}
