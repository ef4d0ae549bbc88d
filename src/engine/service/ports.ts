import type { BudgetMode } from "../settings/budget-mode.ts";
import type { Clock } from "../base/timing/clock.ts";
import type { BenchKeeper } from "../jobs/queue.ts";
import type { BuildStamp } from "./build-stamp.ts";
import type { LedgerKeeper } from "./ledger/host.ts";
import type { Machine } from "../base/process/machine.ts";
import type { StopReason } from "../wire/service.ts";
import type { PurserHome } from "../base/disk/home.ts";
import type { RulesKeeper } from "./rules/host.ts";
import type { GoldenPlace } from "../rules/book/needs-here.ts";
import type { ServiceLog } from "../base/log.ts";

/** Something that must be written before the service may end, such as the ledger's snapshot. */
export interface Finisher {
  /** For the log, should it fail or take too long. */
  readonly name: string;
  readonly finish: (reason: StopReason) => Promise<void>;
}

export interface ServicePorts extends GoldenPlace {
  readonly home: PurserHome;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly userHome: string;
  readonly temporary: string;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly version: string;
  /** What was built that serves; null where it runs as it is written. */
  readonly build?: BuildStamp | null;
  readonly log: ServiceLog;
  /** The program of the thread that learns from past compactions. */
  readonly learnWorker: string;
  /** The program that mends hooks. Undefined for one that leaves them as they are. */
  readonly hooksRepair?: string;
  /** The service ends after being of no use for this long; null never. Milliseconds. */
  readonly idleAfter: number | null;
  /** Opened when the service has begun, and written before it ends. Undefined for one that holds none. */
  readonly ledger?: LedgerKeeper;
  /** Makes benches, which are ended, so that they can be resumed, before the ledger is written. Undefined for a service that runs none. */
  readonly benches?: (rules: RulesKeeper | undefined) => BenchKeeper;
  readonly finishers: readonly Finisher[];
  /** What is done when a budget's limit is passed; as the user's settings say where nobody else does. */
  readonly budgetMode?: () => BudgetMode;
}
