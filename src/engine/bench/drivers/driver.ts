import { type Sentence, sentence } from "../../base/language.ts";
import type { Result } from "../../base/result.ts";
import type { TokenUsage } from "../../usage/token-counts.ts";
import { type DriverName, measuresModel } from "../run-facts.ts";
import type { Configuration } from "../configuration.ts";
import type { TrajectoryTurn } from "../state/stored-trajectory.ts";
import type { ExpectedTokens } from "../plan.ts";
import type { GoldenTask } from "../suite/suite.ts";

export interface RunLimits {
  /** Milliseconds. */
  readonly time: number;
  readonly turns: number;
  /** Processing tokens. */
  readonly tokens: number;
}

/** A run's figures from its transcript so far. */
export interface Trajectory {
  /** The agent's own session id, or null before it has one. */
  readonly sessionId: string | null;
  readonly usage: TokenUsage;
  /** Responses of the main chain. */
  readonly turns: number;
  readonly toolCalls: number;
  /** The last call, abbreviated, or null. Text of the agent. */
  readonly tool: string | null;
  /** Files read more than once. */
  readonly filesReread: number;
  /** Version of the program and the model that answered. Absent if the transcript lacks them. */
  readonly program?: string | undefined;
}

/** How the agent ended, before its work is checked. */
export type AgentEnd =
  | { readonly kind: "ended" }
  | { readonly kind: "limit"; readonly detail: Sentence }
  /** Quota, login, network or a failed start. Not evidence about the configuration. */
  | { readonly kind: "environment"; readonly detail: Sentence }
  /** The agent reported a failure that is not a sign of the environment. */
  | { readonly kind: "failed"; readonly detail: Sentence }
  | { readonly kind: "cancelled" };

/** Everything the agent reads and writes is below `root`. */
export interface RunFolders {
  /** The scratch folder of this run, removed after it. */
  readonly root: string;
  /** The copy of the fixture: the agent's working folder. */
  readonly copy: string;
  /** Home, temporary and configuration folders of this run only. */
  readonly home: string;
  readonly temporary: string;
  readonly config: string;
}

export interface AgentTask {
  readonly folders: RunFolders;
  readonly task: GoldenTask;
  readonly configuration: Configuration;
  /** The agent's whole file, as the configuration defines it. */
  readonly definition: string;
  /** From 1. */
  readonly round: number;
  /** Marks the processes of this run, in their environment. */
  readonly mark: string;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  readonly onTrajectory: (trajectory: Trajectory) => void;
}

export interface AgentResult {
  readonly end: AgentEnd;
  readonly trajectory: Trajectory;
  /** How a replayed recording was made: a model's name, or `script`; null when not replayed. */
  readonly recordedBy: string | null;
  /** Purser's own time around the agent, which does not count as the agent's duration. Milliseconds. */
  readonly aroundMs?: number;
  /** In the order they were made. */
  readonly turns: readonly TrajectoryTurn[];
}

export type NotReady = "not_installed" | "not_logged_in" | "no_recordings";

/**
 * Runs an agent headless on one task. Never throws for anything the agent does; its whole process tree has ended when the promise
 * resolves.
 */
export interface Driver {
  readonly name: DriverName;
  /** Checks that runs are possible: the agent is installed and logged in, or there are recordings. */
  ready(): Promise<Result<null, NotReady>>;
  /** How its recordings were made, without repeats. Empty for drivers that spend. */
  recordedBy(): readonly string[];
  /** Returns expected usage if the driver itself knows it; null to use the history. */
  expected(configurations: readonly Configuration[], taskIds: readonly string[]): ExpectedTokens | null;
  run(task: AgentTask): Promise<AgentResult>;
}

export interface GuardHost {
  /** The runtime, and its arguments: the service's program is the last. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The program of hooks that must be commands. */
  readonly shim: string;
}

/** Returns why runs of a driver cannot be made with guards, in words. Null if they can be, or need none. */
export function guardRefusal(
  driver: DriverName,
  configurations: readonly Pick<Configuration, "guard">[],
): Sentence | null {
  if (configurations.every(({ guard }) => guard === undefined)) return null;
  if (!measuresModel(driver))
    return sentence(
      "recordings cannot show what guards do: their calls were made without guards and no answer changes them. Name an agent, such as --driver claude",
    );
  if (driver === "codex")
    return sentence(
      "guards are measured with Claude Code only: Codex runs hooks only after its user has trusted them in its own settings, which a run's own folder does not have. Name --driver claude",
    );
  return null;
}
