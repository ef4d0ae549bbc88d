import { mean, median } from "../../base/numbers.ts";
import type { RotationCause, WakeReason } from "../../ledger/woken.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import type { LearnedRotation } from "../recurring-answers.ts";
import type { SessionState } from "./recurring-wake-state.ts";

interface SessionWanted {
  readonly task: string;
  readonly program: string;
  readonly model: string;
  /** Absolute. */
  readonly folder: string;
  readonly isForced: boolean;
}

export interface SessionChoice {
  /** Null for a new session. */
  readonly resume: SessionState | null;
  /** Summed up for the new session. Null for none. */
  readonly replaced: SessionState | null;
  readonly reason: WakeReason;
  readonly cause: RotationCause | null;
}

/**
 * A new session starts if requested, if none exists for this task, program, folder and model, if its files are gone, or if it is rotated. `sessions`
 * are by task. `exists`: the program still has a session. `rotates` returns why a session is replaced.
 */
export function chooseSession(
  wanted: SessionWanted,
  sessions: Readonly<Record<string, SessionState>>,
  exists: (session: SessionState) => boolean,
  rotates: (session: SessionState) => RotationCause | null,
): SessionChoice {
  const own = Object.hasOwn(sessions, wanted.task) ? sessions[wanted.task] : undefined;
  const fresh = (reason: WakeReason, replaced: SessionState | null = null): SessionChoice => ({
    resume: null,
    replaced,
    reason,
    cause: null,
  });
  if (wanted.isForced) return fresh("forced");
  if (own === undefined) return fresh(Object.keys(sessions).length === 0 ? "first" : "other_task");
  if (own.program !== wanted.program) return fresh("other_program", own);
  if (own.folder !== wanted.folder) return fresh("other_folder", own);
  if (own.model !== wanted.model) return fresh("other_model", own);
  if (!exists(own)) return fresh("invalid_resume");
  const cause = rotates(own);
  if (cause !== null) return { resume: null, replaced: own, reason: "rotated", cause };
  return { resume: own, replaced: null, reason: "reused", cause: null };
}

/** If neither the agent's file nor past wakes give any. Responses, milliseconds, and a share of input. */
const usual = { turns: 400, age: 14 * 86_400_000, cacheHits: 0.3 };

/** Wakes before a session's costs decide, and wakes that are examined: a single expensive wake is not a trend. */
const [minWakes, looked] = [5, 3];

/** Responses per session, and where the limit comes from. */
interface TurnLimit {
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

/** Null if the session continues. */
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
 * Without a threshold, a session is replaced when its wakes cost more than the mean of all its wakes, including its start. From then on each further
 * wake raises the mean, and a new session lowers it.
 */
function costsTooMuch({ inputs }: SessionState, threshold: number | undefined): boolean {
  if (threshold !== undefined) return (inputs.at(-1) ?? 0) >= threshold;
  if (inputs.length < minWakes) return false;
  return median(inputs.slice(-looked)) > mean(inputs);
}

function missesCache({ hits }: SessionState, threshold: number | undefined): boolean {
  const last = hits.slice(-looked);
  if (threshold !== undefined) return last.length === looked && median(last) < threshold;
  const before = hits.slice(1, -looked);
  return before.length >= looked && median(last) < usual.cacheHits && median(before) >= 2 * usual.cacheHits;
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Such as 90m, 12h or 7d, as the definition's schema has it. */
export function durationOf(text: string): number {
  const unit = text.endsWith("m") ? "m" : text.endsWith("h") ? "h" : "d";
  return Number.parseInt(text, 10) * units[unit];
}
