import type { AgentOverview } from "./agent-overview.ts";
import { usualGap } from "./due.ts";

/** Who wakes an agent at its scheduled times; `person`: it has no schedule. */
export const wakers = ["service", "cron", "nobody", "person"] as const;
type Waker = (typeof wakers)[number];

/** Why nobody wakes an agent with a schedule. */
export const idleReasons = ["faulty", "not_agreed", "off", "not_trusted"] as const;

export interface WokenBy {
  readonly waker: Waker;
  /** Reason for `nobody`, otherwise null. */
  readonly why: (typeof idleReasons)[number] | null;
}

/**
 * A cron counts as removed if it has not woken an agent for this time, and for three of its scheduled times.
 * Milliseconds.
 */
const minMemoryMs = 86_400_000;

/**
 * Returns who wakes an agent by its schedule, as far as files show. A cron shows by its wakes.
 * @param isOn whether the service wakes agents at all
 * @param isTrusted whether it trusts the agent's folder
 * @param now milliseconds since the epoch
 */
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
