import type { Disposable, DisposableList } from "../base/events.ts";
import type { SessionMemory } from "../base/per-session.ts";
import type { HostPorts } from "../base/process.ts";
import { serveLedger, type LedgerHost } from "../ledger/ledger-host.ts";
import { serve, type Client, type Handlers, type ServeClient } from "../protocol/serve.ts";
import type { HookSessions } from "../sessions/reported.ts";
import type { SessionFeed, LiveAccounts } from "../sessions/live.ts";
import type { ViewConfiguration } from "../sessions/session-requests.ts";
import type { BudgetMode } from "../settings/guard.ts";
import type { WindowSettings } from "../settings/shape.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { HookAdvice } from "./advice.ts";
import { adviceHandler } from "./advice-handler.ts";
import { MessageGate, type QuestionEntry } from "./messages/gate.ts";
import { MessageQueue } from "./messages/queue.ts";
import { fail, succeed } from "../base/result.ts";
import { messageNotices, messageRequests } from "./message-requests.ts";
import { sentence } from "../base/language.ts";
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

/** Answers requests about the ledger, and passes it the user's models and the folders open in windows. */
export const ledgerFeature: CreateFeature = (core) => {
  if (core === undefined) return { name: "ledger", serve: [serveLedger(undefined)] };
  const { ledger, settings, owned } = core;
  const configure = () => {
    ledger.configure(settings.now().models);
  };
  configure();
  owned.add(settings.onChange(configure));
  return {
    name: "ledger",
    serve: [serveLedger(ledger)],
    onWindow: (_, view) => ledger.addWindowRoots(view.roots),
  };
};

/** Warns an agent when its context fills. */
export const adviceFeature: CreateFeature = (core) => ({
  name: "advice",
  register: (hooks) => {
    if (core === undefined) return;
    const { adviceOf, memory, settings, clock, arms } = core;
    hooks.register(
      adviceHandler({
        adviceOf,
        memory,
        isOn: (folder, session) => settings.of(folder).warnAgent && !arms.isObserving(session, "advice"),
        everyCalls: () => settings.now().warnEveryCalls,
        reminder: () => settings.now().totalTokensReminder,
        now: () => clock.now(),
      }),
    );
  },
});

const missing = fail("no_messages", sentence("this service answers no hooks"));

/**
 * Messages between agents, which clients may let their users decide about.
 * @param part undefined where hooks are not answered
 */
export function serveMessages(part: MessageQueue | undefined): ServeClient {
  return serve({
    requests: messageRequests,
    part,
    missing,
    handlers,
  });
}

function handlers(client: Client): Handlers<MessageQueue, typeof messageRequests> {
  let following: Disposable | undefined;
  const letGo = () => {
    following?.dispose();
    following = undefined;
  };
  client.owned.add({ dispose: letGo });
  return {
    messagesFollow(queue, { folders }) {
      letGo();
      if (folders.length > 0 && !client.isOver)
        following = queue.follow(folders, {
          asked: (question) => void client.notify(messageNotices.messageAsked, question),
          settled: (settlement) => void client.notify(messageNotices.messageSettled, settlement),
        });
      return succeed({});
    },
    messageAnswer: (queue, { id, decision }) => succeed({ isTaken: queue.answer(id, decision) }),
  };
}

/**
 * Holds messages between agents, and asks the user about them in windows, in addition to the agent's prompt.
 */
export const messageFeature: CreateFeature = (core) => {
  const parts = core && createMessages(core);
  return {
    name: "messages",
    serve: [serveMessages(parts?.queue)],
    register: (hooks) => {
      if (parts === undefined) return;
      hooks.register(parts.gate.quick);
      hooks.register(parts.gate.waiting);
    },
    // Waiting messages are released; the agent then asks its user itself.
    stop: () => Promise.resolve(parts?.queue.dispose()),
  };
};

function createMessages({ ledger, platform, clock, settings, memory, onProblem }: ServiceCore) {
  const record = async (entry: QuestionEntry) => {
    const appended = await ledger.append([entry]);
    if (!appended.ok) onProblem(`A message between agents is not recorded: ${appended.detail.text}`);
  };
  const queue = new MessageQueue({ platform, held: () => gate.held() });
  const gate: MessageGate = new MessageGate({
    mode: () => settings.now().messages,
    now: () => clock.now(),
    memory,
    windows: queue,
    record: (entry) => void record(entry),
  });
  return { queue, gate };
}
