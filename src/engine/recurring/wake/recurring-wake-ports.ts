import type { Sentence } from "../../base/language.ts";
import type { FilePort } from "../../base/files.ts";
import type { Machine } from "../../base/process.ts";
import type { Clock } from "../../base/timing.ts";
import type { Result } from "../../base/result.ts";
import type { ProgramEnd } from "../../bench/processes.ts";
import type { UnattendedWork } from "../../continuity/handover.ts";
import type { WakeRow, RotationCause } from "../../ledger/woken.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import type { LearnedRotation } from "../answers.ts";
import type { Allowed } from "../programs/allowed.ts";
import type { Invocation } from "../programs/program.ts";
import type { TaskSource } from "../tasks/tasks-source.ts";
import type { SpentResponses } from "./session-usage.ts";
import type { SessionState } from "./recurring-wake-state.ts";
import { mean, median } from "../../base/numbers.ts";

/** One start of a program. */
export interface ProgramStart {
  readonly invocation: Invocation;
  /** Absolute. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Marks its processes. */
  readonly mark: string;
  readonly allowed: Allowed;
  /** Milliseconds since the epoch: responses before are another wake's. */
  readonly since: number;
  readonly signal: AbortSignal;
  /** Called if the program chooses the id. */
  readonly onSession: (id: string) => void;
}

export interface ProgramResult {
  readonly ended: ProgramEnd;
  readonly limit: Sentence | null;
}

/** The machine of a wake. Tests and simulations pass another. */
export interface WakePorts {
  readonly files: FilePort;
  readonly clock: Clock;
  /** A word that no other process or call uses. */
  readonly unique: () => string;
  readonly pid: number;
  readonly machine: Machine;
  readonly catalogue: Catalogue;
  /** A command without consent does not run. */
  readonly sourceOf: (agent: RecurringAgent, project: string) => Result<TaskSource, "not_agreed">;
  readonly allowedOf: (agent: RecurringAgent, folder: string) => Result<Allowed>;
  readonly hasSession: (session: SessionState) => Promise<boolean>;
  readonly isOpen: (session: SessionState) => Promise<boolean>;
  /** Keeps the agent's limits; afterwards no process of it is left. */
  readonly run: (start: ProgramStart) => Promise<ProgramResult>;
  /** Null if no file has the session. */
  readonly spentBy: (
    agent: RecurringAgent,
    sessionId: string,
    since: number,
  ) => Promise<SpentResponses | null>;
  readonly endLeft: (mark: string) => Promise<void>;
  /** Includes deleted ones. */
  readonly agentsOf: (project: string) => Promise<readonly string[]>;
  /** The document, or why there is none. */
  readonly carryForward: (session: SessionState, work: UnattendedWork) => Promise<Result<string>>;
  readonly check: (command: string, folder: string) => Promise<Result<null>>;
  readonly isAgreedCheck: (command: string) => boolean;
  /** From the ledger. Null if it has too little data, or is unavailable. */
  readonly learnedRotation: (agent: RecurringAgent) => Promise<LearnedRotation | null>;
  /** False if the ledger is unavailable now. */
  readonly record: (wakes: readonly WakeRow[]) => Promise<boolean>;
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
