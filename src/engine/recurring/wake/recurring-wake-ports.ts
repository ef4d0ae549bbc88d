import type { Sentence } from "../../base/language.ts";
import type { FilePort } from "../../base/files.ts";
import type { Machine } from "../../base/process.ts";
import type { Clock } from "../../base/timing.ts";
import type { Result } from "../../base/result.ts";
import type { ProgramEnd } from "../../bench/processes.ts";
import type { UnattendedWork } from "../../continuity/handover.ts";
import type { WakeRow } from "../../ledger/woken.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import type { LearnedRotation } from "../recurring-answers.ts";
import type { Allowed } from "../programs/allowed.ts";
import type { Invocation } from "../programs/program.ts";
import type { TaskSource } from "../tasks/tasks-source.ts";
import type { SpentResponses } from "./session-usage.ts";
import type { SessionState } from "./recurring-wake-state.ts";

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
