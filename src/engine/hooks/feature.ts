import type { DisposableList } from "../base/events.ts";
import type { SessionMemory } from "../base/per-session.ts";
import type { HostPorts } from "../base/process.ts";
import type { LedgerHost } from "../ledger/ledger-host.ts";
import type { ServeClient } from "../protocol/serve.ts";
import type { HookSessions } from "../sessions/reported.ts";
import type { SessionFeed, LiveAccounts } from "../sessions/live.ts";
import type { ViewConfiguration } from "../sessions/session-requests.ts";
import type { BudgetMode } from "../settings/guard.ts";
import type { WindowSettings } from "../settings/shape.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { HookAdvice } from "./advice.ts";
import type { HookService } from "./dispatch.ts";
import type { GuardArms } from "./guard-arms.ts";

export { GuardArms } from "./guard-arms.ts";

interface FeaturePrograms {
  /** Learns from past compactions, in a thread. */
  readonly learnWorker: string;
  /** Repairs hooks, and prints packets. */
  readonly hooksRepair?: string;
  /** Plays the user's history to guards, in a thread. */
  readonly guardReplayWorker?: string;
  /** Learns from past sessions, in a thread. */
  readonly learningWorker?: string;
  /** Folder of the golden suite that comes with purser. */
  readonly golden?: string;
}

export interface ServiceCore extends HostPorts, FeaturePrograms {
  readonly ledger: LedgerHost;
  readonly settings: SettingsStore;
  readonly memory: SessionMemory;
  readonly live: LiveAccounts;
  readonly hookSessions: HookSessions;
  readonly feed: SessionFeed;
  readonly adviceOf: HookAdvice["of"];
  readonly arms: GuardArms;
  /** What happens beyond a budget's limit. The default comes from the user's settings. */
  readonly budgetMode?: () => BudgetMode;
  readonly onProblem: (message: string) => void;
  /** Disposed when everything is written. */
  readonly owned: DisposableList;
}

export interface Feature {
  /** Unique; names the feature in the log. */
  readonly name: string;
  readonly serve?: readonly ServeClient[];
  /** Registers hook handlers. Called once all features are created, in the order of their list. */
  readonly register?: (hooks: Pick<HookService, "register">) => void;
  /** Takes the settings of a window's user, and which sessions the window shows. */
  readonly onWindow?: (settings: WindowSettings, view: ViewConfiguration) => void;
  /** Loads what decisions about calls need. The service answers hooks only afterwards. */
  readonly prepare?: () => Promise<void>;
  /** Reads what the feature needs of the ledger: called once that is being opened. */
  readonly load?: () => void;
  /** Finishes work that a killed service left. Called once the memory of sessions is read. */
  readonly resume?: () => void;
  /** Called for every hook, before its handlers. */
  readonly onHook?: () => void;
  /** Called at every look at the service's idle time. */
  readonly tick?: () => void;
  /** Whether the service must not end for lack of use. */
  readonly isBusy?: () => boolean;
  /** Writes what must not be lost. Called before hook records are written, in the reverse order of the list. */
  readonly stop?: () => Promise<void>;
  /** The same, after hook records are written. */
  readonly stopLast?: () => Promise<void>;
}

/**
 * Creates a feature.
 * @param core undefined for a service without a ledger: the feature then answers that it is missing
 */
export type CreateFeature = (core: ServiceCore | undefined) => Feature;
