import type { Sentence } from "../../base/text/sentence.ts";
import type { FilePort } from "../../base/disk/file-port.ts";
import type { Machine } from "../../base/process/machine.ts";
import type { Clock } from "../../base/timing/clock.ts";
import type { Result } from "../../base/result.ts";
import type { ProgramEnd } from "../../bench/execute/run-program.ts";
import type { UnattendedWork } from "../../continuity/handover/unattended.ts";
import type { WakeRow } from "../../ledger/entries/woken.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import type { LearnedRotation } from "../answers.ts";
import type { Allowed } from "../programs/allowed.ts";
import type { Invocation } from "../programs/program.ts";
import type { TaskSource } from "../tasks/tasks-source.ts";
import type { SpentResponses } from "./session-usage.ts";
import type { SessionState } from "./recurring-wake-state.ts";

/** One start of a program, and its permissions. */
export interface ProgramStart {
  readonly invocation: Invocation;
  /** Absolute. */
  readonly folder: string;
  /** Variables of the wake: see `environment.ts`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Marks its processes. */
  readonly mark: string;
  readonly allowed: Allowed;
  /** Milliseconds since the epoch: responses before are another wake's. */
  readonly since: number;
  readonly signal: AbortSignal;
  /** Called with the session id if the program chooses it. */
  readonly onSession: (id: string) => void;
}

export interface ProgramResult {
  readonly ended: ProgramEnd;
  /** The exceeded limit, in words. Null for none. */
  readonly limit: Sentence | null;
}

/** The machine, as a wake needs it: passed in at the top, and by tests and simulations. */
export interface WakePorts {
  readonly files: FilePort;
  readonly clock: Clock;
  /** Returns a word that no other process or call uses. */
  readonly unique: () => string;
  readonly pid: number;
  readonly machine: Machine;
  readonly catalogue: Catalogue;
  /** Opens an agent's tasks. A command without consent does not run. */
  readonly sourceOf: (agent: RecurringAgent, project: string) => Result<TaskSource, "not_agreed">;
  readonly allowedOf: (agent: RecurringAgent, folder: string) => Result<Allowed>;
  /** Whether the program still has a session. */
  readonly hasSession: (session: SessionState) => Promise<boolean>;
  /** Whether another process has a session open. */
  readonly isOpen: (session: SessionState) => Promise<boolean>;
  /** Runs a program within its agent's limits; afterwards no process of it is left. */
  readonly run: (start: ProgramStart) => Promise<ProgramResult>;
  /** Returns the usage of a session since a time. Null if no file has it. */
  readonly spentBy: (
    agent: RecurringAgent,
    sessionId: string,
    since: number,
  ) => Promise<SpentResponses | null>;
  /** Ends processes that a killed wake left running. */
  readonly endLeft: (mark: string) => Promise<void>;
  /** Returns the names of a project's recurring agents, including deleted ones. */
  readonly agentsOf: (project: string) => Promise<readonly string[]>;
  /** Returns the document that hands over a session's work, or the reason why there is none. */
  readonly carryForward: (session: SessionState, work: UnattendedWork) => Promise<Result<string>>;
  /** Runs a task's check in the agent's folder. */
  readonly check: (command: string, folder: string) => Promise<Result<null>>;
  /** Whether a person agreed to run this check. */
  readonly isAgreedCheck: (command: string) => boolean;
  /**
   * Returns the length from which a program's new session is cheaper, from the ledger. Null if it has too
   * little data, or is unavailable.
   */
  readonly learnedRotation: (agent: RecurringAgent) => Promise<LearnedRotation | null>;
  /** Records wakes in the ledger. False if it is unavailable now. */
  readonly record: (wakes: readonly WakeRow[]) => Promise<boolean>;
}
