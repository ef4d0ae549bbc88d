import { mean, median } from "../../base/numbers.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import type { RotationCause } from "../../ledger/entries/woken.ts";
import type { LearnedRotation } from "../answers.ts";
import type { SessionState } from "./recurring-wake-state.ts";

/**
 * Default thresholds, if neither the agent's file nor past wakes give any. Responses, milliseconds, and a
 * share of input.
 */
const usual = { turns: 400, age: 14 * 86_400_000, cacheHits: 0.3 };

/**
 * Minimum wakes before a session's costs decide, and wakes that are examined: a single expensive wake is not
 * a trend.
 */
const [minWakes, looked] = [5, 3];

/**
 * Maximum responses per session, and its source: the agent's file, past wakes of its program, or purser's
 * default.
 */
export interface TurnLimit {
  readonly turns: number;
  readonly from: "file" | "learned" | "default";
}

export function turnLimitOf(
  { rotation }: Pick<RecurringAgent, "rotation">,
  learned: Pick<LearnedRotation, "turns"> | null,
): TurnLimit {
  if (rotation.turns !== undefined) return { turns: rotation.turns, from: "file" };
  return learned === null
    ? { turns: usual.turns, from: "default" }
    : { turns: learned.turns, from: "learned" };
}

/** Returns why the next wake replaces the session. Null if it continues. */
export function rotationCause(
  session: SessionState,
  agent: Pick<RecurringAgent, "rotation" | "sessionHash">,
  now: number,
  learned: Pick<LearnedRotation, "turns"> | null = null,
): RotationCause | null {
  const { rotation, sessionHash } = agent;
  if (session.sessionHash !== sessionHash) return "definition";
  if (session.turns >= turnLimitOf(agent, learned).turns) return "turns";
  if (now - session.startedAt >= (rotation.age === undefined ? usual.age : durationOf(rotation.age)))
    return "age";
  if (costsTooMuch(session, rotation.input)) return "input";
  return missesCache(session, rotation.cacheHits) ? "cache_hits" : null;
}

/**
 * Without a threshold, a session is replaced when its wakes cost more than the mean of all its wakes,
 * including its start. From then on each further wake raises the mean, and a new session lowers it.
 */
function costsTooMuch({ inputs }: SessionState, threshold: number | undefined): boolean {
  if (threshold !== undefined) return (inputs.at(-1) ?? 0) >= threshold;
  if (inputs.length < minWakes) return false;
  return median(inputs.slice(-looked)) > mean(inputs);
}

/** Falling cache hits: the last wakes found little in the cache, and those before found more. */
function missesCache({ hits }: SessionState, threshold: number | undefined): boolean {
  const last = hits.slice(-looked);
  if (threshold !== undefined) return last.length === looked && median(last) < threshold;
  const before = hits.slice(1, -looked);
  return before.length >= looked && median(last) < usual.cacheHits && median(before) >= 2 * usual.cacheHits;
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** @param text such as 90m, 12h or 7d, as the definition's schema has it */
export function durationOf(text: string): number {
  const unit = text.endsWith("m") ? "m" : text.endsWith("h") ? "h" : "d";
  return Number.parseInt(text, 10) * units[unit];
}
