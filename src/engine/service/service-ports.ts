import type { HostPorts } from "../base/process.ts";
import type { BudgetMode } from "../settings/guard.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { BuildStamp } from "./build-stamp.ts";
import type { HandoverParts } from "../continuity/feature.ts";
import type { LedgerHost } from "../ledger/ledger-host.ts";
import type { StopReason } from "../sessions/session-requests.ts";
import type { RulesService } from "../rules/feature.ts";
import type { GoldenPlace } from "../rules/agent-definition.ts";

/** Something that must be written before the service may end, such as the ledger's snapshot. */
export interface Finisher {
  /** Name for the log, in case it fails or takes too long. */
  readonly name: string;
  readonly finish: (reason: StopReason) => Promise<void>;
}

/** Parts that jobs may use in addition to the ledger. */
export interface JobParts {
  readonly rules: RulesService | undefined;
  readonly handovers?: HandoverParts | undefined;
}

export interface ServicePorts extends HostPorts, GoldenPlace {
  readonly version: string;
  /** The running build; null when running from source. */
  readonly build?: BuildStamp | null;
  /** Program of the thread that learns from past compactions. */
  readonly learnWorker: string;
  /** Program that repairs hooks. Undefined to leave hooks as they are. */
  readonly hooksRepair?: string;
  /**
   * Program of the thread that replays the user's history to guards. Undefined for a service without replay.
   */
  readonly guardReplayWorker?: string;
  /** Program of the thread that learns from past sessions. Undefined for a service that learns nothing. */
  readonly learningWorker?: string;
  /** Idle time after which the service ends; null for never. Milliseconds. */
  readonly idleAfter: number | null;
  /** Opened once the service has started, and written before it ends. Undefined for a service without a ledger. */
  readonly ledger?: LedgerHost;
  /** Creates the job queue. Its jobs stop, to be resumed later, before the ledger is written. Undefined for a service without jobs. */
  readonly benches?: (parts: JobParts) => JobQueue;
  readonly finishers: readonly Finisher[];
  /** What happens beyond a budget's limit. The default comes from the user's settings. */
  readonly budgetMode?: () => BudgetMode;
}
