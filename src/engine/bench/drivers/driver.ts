import type { Result } from "../../base/result.ts";
import type { TokenUsage } from "../../usage/token-counts.ts";
import type { DriverName } from "../run-facts.ts";
import type { RunLimits } from "../run-limits.ts";
import type { Configuration } from "../configuration.ts";
import type { TrajectoryTurn } from "../state/kept-trajectory.ts";
import type { ExpectedTokens } from "../plan/plan.ts";
import type { GoldenTask } from "../suite/suite.ts";

/** What a run's transcript tells so far. */
export interface Trajectory {
  /** The agent's own id of the session, or null before it has one. */
  readonly sessionId: string | null;
  readonly usage: TokenUsage;
  /** Responses of the main chain. */
  readonly turns: number;
  readonly toolCalls: number;
  /** The last call in few words, or null. Text of the agent. */
  readonly tool: string | null;
  /** Files read more than once. */
  readonly filesReread: number;
}

/** How the agent ended, before anybody checked what it did. */
export type AgentEnd =
  | { readonly kind: "ended" }
  | { readonly kind: "limit"; readonly detail: string }
  /** Quota, login, network, or it could not be started: it says nothing of the configuration. */
  | { readonly kind: "environment"; readonly detail: string }
  /** It said itself that it failed, of something that is no sign of the environment. */
  | { readonly kind: "failed"; readonly detail: string }
  | { readonly kind: "cancelled" };

/** Where an agent works on a task: everything it reads and writes is below `root`. */
export interface RunPlaces {
  /** The scratch folder of this run, removed after it. */
  readonly root: string;
  /** The copy of the fixture: the agent's working folder. */
  readonly copy: string;
  /** The home, temporary and configuration folders of the run's own. */
  readonly home: string;
  readonly temporary: string;
  readonly config: string;
}

export interface AgentTask {
  readonly places: RunPlaces;
  readonly task: GoldenTask;
  readonly configuration: Configuration;
  /** The agent's whole file, after the configuration's. */
  readonly definition: string;
  /** From 1. */
  readonly round: number;
  /** Marks the processes of this run, in their environment. */
  readonly mark: string;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /** Told as it goes on. */
  readonly onTrajectory: (trajectory: Trajectory) => void;
}

export interface AgentResult {
  readonly end: AgentEnd;
  readonly trajectory: Trajectory;
  /** How a replayed recording was made: a model's name, or `script`; null when not replayed. */
  readonly recordedBy: string | null;
  /** In the order they were made. */
  readonly turns: readonly TrajectoryTurn[];
}

export type NotReady = "not_installed" | "not_logged_in" | "no_recordings";

/** Runs an agent headless on one task. It never throws for what the agent does; its whole process tree has ended when it answers. */
export interface Driver {
  readonly name: DriverName;
  /** Whether runs can be made here at all: the agent is installed and logged in, the recordings are there. */
  ready(): Promise<Result<null, NotReady>>;
  /** How its recordings were made, each once; empty for drivers that spend. */
  recordedBy(): readonly string[];
  /** What runs are expected to use, where the driver knows by itself; null where history has to tell. */
  expected(configurations: readonly Configuration[], taskIds: readonly string[]): ExpectedTokens | null;
  run(task: AgentTask): Promise<AgentResult>;
}
