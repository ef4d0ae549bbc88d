import type { HostPorts } from "../base/process.ts";
import type { BudgetMode } from "../settings/guard.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { BuildStamp } from "./build-stamp.ts";
import type { HandoverParts } from "../continuity/feature.ts";
import type { LedgerHost } from "../ledger/ledger-host.ts";
import type { StopReason } from "../sessions/session-requests.ts";
import type { RulesService } from "../rules/feature.ts";
import type { GoldenPlace } from "../rules/needs-here.ts";

/** Must be done before the service may end, such as writing the ledger's snapshot. */
export interface Finisher {
  readonly name: string;
  readonly finish: (reason: StopReason) => Promise<void>;
}

/** In addition to the ledger. */
export interface JobParts {
  readonly rules: RulesService | undefined;
  readonly handovers?: HandoverParts | undefined;
}

export interface ServicePorts extends HostPorts, GoldenPlace {
  readonly version: string;
  /** Null when running from source. */
  readonly build?: BuildStamp | null;
  readonly learnWorker: string;
  /** Undefined to leave hooks as they are. */
  readonly hooksRepair?: string;
  /** Undefined for a service without replay. */
  readonly guardReplayWorker?: string;
  /** Undefined for a service that learns nothing. */
  readonly learningWorker?: string;
  /** Null for never. Milliseconds. */
  readonly idleAfter: number | null;
  /** Opened once the service has started, and written before it ends. */
  readonly ledger?: LedgerHost;
  /** Jobs stop, to be resumed later, before the ledger is written. */
  readonly benches?: (parts: JobParts) => JobQueue;
  readonly finishers: readonly Finisher[];
  /** By default from the user's settings. */
  readonly budgetMode?: () => BudgetMode;
}
