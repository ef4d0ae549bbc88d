import type { AgentOverview } from "./agent-overview.ts";
import { usualGap } from "./due.ts";

/** The one that wakes an agent when its schedule has come; `person`: it has none. */
export const wakers = ["service", "cron", "nobody", "person"] as const;
type Waker = (typeof wakers)[number];

/** Why nobody wakes an agent that has a schedule. */
export const idleReasons = ["faulty", "not_agreed", "off", "not_trusted"] as const;

export interface WokenBy {
  readonly waker: Waker;
  /** Null unless nobody does. */
  readonly why: (typeof idleReasons)[number] | null;
}

/** A cron that has not woken an agent for so long, and for three times of its schedule, is none any more. Milliseconds. */
const shortestMemory = 86_400_000;

/**
 * Returns who wakes an agent by its schedule, as far as files tell: a cron shows by its wakes.
 *
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
  const memory = Math.max(shortestMemory, 3 * (usualGap(agent, now) ?? 0));
  if (timedBy?.by === "terminal" && now - timedBy.at < memory) return { waker: "cron", why: null };
  return { waker: "nobody", why: isOn ? "not_trusted" : "off" };
}
