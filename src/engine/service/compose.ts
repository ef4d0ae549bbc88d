import { setTimeout as pause } from "node:timers/promises";
import { DisposableList } from "../base/disposable.ts";
import { noHistory } from "../budgets/projection.ts";
import { HookSessions } from "../sessions/reported/sessions.ts";
import { budgetHandler } from "../budgets/hook/handler.ts";
import { MessageGate, type QuestionEntry } from "../hooks/messages/gate.ts";
import { RepeatedProblems } from "../hooks/repeated-problems.ts";
import { openLedgerThread } from "../ledger/thread/thread.ts";
import { agentEnvironment } from "../sessions/agent-environment.ts";
import { benchFeature } from "../jobs/serve-jobs.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { BudgetStatusFeed } from "../budgets/live/feed.ts";
import { BudgetChecks } from "../budgets/live/checks.ts";
import { budgetFeature } from "../budgets/live/serve-budgets.ts";
import { BudgetOffers } from "../budgets/live/offers.ts";
import { proposalMaker } from "../budgets/live/proposals.ts";
import { BudgetRecorder } from "../budgets/live/recorder.ts";
import type { Feature } from "./old-feature.ts";
import { heldPrograms } from "../hooks/install/held-programs.ts";
import { HookAdvice } from "../hooks/advice/session-fullness.ts";
import { HookService } from "../hooks/dispatch.ts";
import { createLearning } from "../continuity/host/create-learning.ts";
import { createContinuity } from "../continuity/host/create.ts";
import { handoverFeature } from "../continuity/host/serve-handovers.ts";
import { createHandovers } from "../continuity/host/create-handovers.ts";
import { createGuards } from "../guard/host/guards.ts";
import { unjudgedEntries } from "../guard/calls/not-judged.ts";
import { isGuarding } from "../settings/guard.ts";
import { registerHandlers, createSessionReporter } from "./hook-handlers.ts";
import { HookRepair } from "../hooks/repair.ts";
import { learningFeature } from "../continuity/host/serve-learning.ts";
import { ledgerFeature } from "../ledger/host/serve-ledger.ts";
import { GuardHost } from "../guard/host/host.ts";
import { compactionFeature } from "../continuity/host/serve-put-back.ts";
import { guardFeature, replayFeature } from "../guard/host/serve-guard.ts";
import { HistoryPlayer } from "../guard/host/history-player.ts";
import { ledgerId } from "../ledger/host/id.ts";
import { LedgerHost } from "../ledger/host/host.ts";
import { StoredWorkTaker } from "../sessions/live/stored-work-taker.ts";
import { StoredWorkFinder } from "../ledger/host/stored-work-finder.ts";
import { PastCompactions } from "../ledger/host/past-compactions.ts";
import { agentRoots, sessionRoots } from "../transcripts/agents.ts";
import { liveAccounts, type LiveAccounts } from "../sessions/live/live-accounts.ts";
import { MessageQueue } from "../hooks/messages/queue.ts";
import { messageFeature } from "../hooks/messages/serve-messages.ts";
import type { LedgerPrograms } from "./launch/programs.ts";
import { projectBudgets } from "../budgets/live/project.ts";
import type { ApartPlace } from "../budgets/spending/placed.ts";
import { recordBenches } from "./jobs/record-benches.ts";
import { FolderTrust } from "../settings/folder-trust.ts";
import { recentHistory } from "../budgets/live/recent-history.ts";
import { TtlCache } from "../base/ttl-cache.ts";
import { nudgeFeature, rulesFeature } from "../rules/host/serve-rules.ts";
import { trialFeature } from "../rules/host/serve-trials.ts";
import type { Finisher, ServicePorts } from "./ports.ts";
import { createRules } from "../rules/host/create.ts";
import { createSchedule, type ScheduleHost } from "../jobs/wake-schedule.ts";
import { sessionFeature } from "../sessions/live/serve-sessions.ts";
import { SessionFiles } from "../hooks/session-files.ts";
import { SettingsStore } from "../settings/store.ts";
import { TurnCosts } from "../rules/turn-costs/calculator.ts";
import { ViewPool } from "../sessions/live/view-pool.ts";

/** The assembled parts of a service. */
export interface ServiceParts {
  readonly settings: SettingsStore;
  readonly views: ViewPool;
  readonly benches: JobQueue | undefined;
  /** Wakes recurring agents. Undefined without a ledger, or without jobs. */
  readonly wakes: ScheduleHost | undefined;
  /** Undefined without a ledger to record hooks in. */
  readonly hooks: HookService | undefined;
  /** Reads what hooks need of the ledger: called once it is being opened. */
  readonly load: () => void;
  /** The features that each client may use. */
  readonly features: readonly Feature[];
  /** What must finish before the ledger is written, in this order. */
  readonly finishers: readonly Finisher[];
  /** Disposed after that. */
  readonly owned: DisposableList;
}

/** Inputs that several parts share. */
interface Shared extends ServicePorts {
  readonly ledger: LedgerHost;
  readonly live: LiveAccounts;
  readonly settings: SettingsStore;
  readonly memory: SessionFiles["memory"];
  readonly onProblem: (message: string) => void;
  readonly owned: DisposableList;
}

/**
 * Assembles a service.
 * @param onHook called for every hook: marks the service as in use
 */
export function composeService(ports: ServicePorts, onHook: () => void): ServiceParts {
  const { clock, env, userHome, platform, machine, ledger, home, log } = ports;
  const { guardReplayWorker: program } = ports;
  const owned = new DisposableList();
  const onProblem = (message: string) => log.write("warn", message);
  const settings = owned.add(new SettingsStore({ ...ports, onProblem }));
  const kept = new SessionFiles({ folder: home.sessions, clock, onProblem });
  const hookSessions = owned.add(new HookSessions());
  const past = new PastCompactions({ ...ports, onProblem, places: agentRoots({ env, home: userHome }) });
  const stored = ledger && new StoredWorkFinder(ledger);
  const views = owned.add(
    new ViewPool({
      platform,
      clock,
      hookSessions,
      settings,
      ...(ledger === undefined ? {} : { ledgerProblem: ledger.problem }),
      isAlive: machine.isAlive,
      learn: past.find,
      ...(stored === undefined ? {} : { taker: () => new StoredWorkTaker(stored.find, onProblem) }),
      onProblem,
    }),
  );
  const roots = sessionRoots({ env, home: userHome });
  const defaults = { roots, env: agentEnvironment(env), folders: [] };
  const advice = owned.add(new HookAdvice(views, defaults));
  const { item: source } = owned.add(views.source(roots));
  const live = liveAccounts(source);
  const memory = kept.memory;
  const shared = ledger && { ...ports, ledger, live, settings, memory, onProblem, owned };
  const budgets = shared && composeBudgets(shared);
  const messages = shared && composeMessages(shared);
  const learning = shared && createLearning(shared);
  const rules = shared && createRules({ ...shared, settings: settings.now });
  const hooks =
    shared &&
    new HookService({
      isLedgerOpen: () => shared.ledger.isOpen,
      ...shared,
      kept,
      ...(ports.hooksRepair === undefined
        ? {}
        : { repair: new HookRepair({ ...ports, program: ports.hooksRepair }) }),
      append: (entries) => shared.ledger.append(entries),
      besideSpooled: (entries) => (isGuarding(settings.now()) ? unjudgedEntries(entries) : []),
      onHook: () => {
        learning?.host?.noteHook();
        onHook();
      },
      observe: createSessionReporter({ ...shared, hookSessions }),
    });
  const guards = shared && createGuards(shared);
  const continuity =
    shared && guards && createContinuity({ ...shared, hookSessions, guards, feed: source.feed });
  const handovers = continuity && createHandovers({ ...shared, continuity, contextOf: advice.of });
  if (hooks !== undefined)
    registerHandlers(hooks, {
      settings,
      clock,
      memory,
      adviceOf: advice.of,
      budgets: budgets?.handler,
      messages: messages?.gate,
      nudge: rules?.nudge,
      trials: rules?.trials.assignment,
      guards,
      continuity,
      learned: learning?.told,
      handovers,
      turnCosts: shared && new TurnCosts({ ...shared, now: () => clock.now() }),
    });
  const handing = handovers && { handovers, offers: continuity.offers, ledger: shared.ledger };
  const benches = ports.benches?.({ rules: rules?.service, handovers: handing });
  const wakes =
    guards && benches && createSchedule({ ...ports, settings, jobs: benches, trust: guards.trust });
  const tellModels = () => ledger?.configure(settings.now().models);
  tellModels();
  owned.add(settings.onChange(tellModels));
  return {
    settings,
    views,
    benches,
    wakes,
    hooks,
    owned,
    load: () => {
      past.start();
      stored?.start();
      rules?.trials.load();
      guards?.load(isGuarding(settings.now()));
      learning?.host?.start();
      wakes?.start();
      if (shared !== undefined)
        void recordBenches(home.benches, {
          append: (entries) => shared.ledger.append(entries),
          onProblem,
        });
    },
    features: [
      sessionFeature({
        views,
        defaults,
        onWindow: (text, view) => {
          settings.setWindowSettings(text);
          guards?.setWindow(text);
          wakes?.soon();
          advice.setWindow(view);
          ledger?.addWindowRoots(view.roots);
        },
      }),
      ledgerFeature(ledger),
      benchFeature(benches),
      rulesFeature(rules?.service, () => benches?.jobs.taskWeights() ?? new Map()),
      nudgeFeature(rules?.nudge),
      trialFeature(rules?.trials),
      budgetFeature(budgets?.feed),
      messageFeature(messages?.queue),
      compactionFeature(continuity?.compactions),
      handoverFeature(handing),
      guardFeature(shared && new GuardHost(shared)),
      learningFeature(learning?.host),
      replayFeature(shared && program !== undefined ? new HistoryPlayer({ ...shared, program }) : undefined),
    ],
    finishers: [
      { name: "scheduled wakes", finish: async () => await wakes?.stop() },
      { name: "benches", finish: async () => await benches?.stop() },
      // Pending messages are released: the agent then asks its user itself.
      { name: "messages", finish: () => Promise.resolve(messages?.queue.dispose()) },
      { name: "learning", finish: async () => await learning?.host?.stop() },
      // Hook records reach the ledger before it is closed.
      { name: "hook records", finish: async () => await hooks?.stop() },
      { name: "rules", finish: async () => await rules?.finish() },
    ],
  };
}

export interface LedgerInput extends Pick<
  ServicePorts,
  "home" | "env" | "userHome" | "platform" | "pid" | "machine" | "clock" | "log"
> {
  readonly programs: LedgerPrograms;
}

/**
 * Creates the ledger of a purser home, with threads of its own, fed from the agents' transcripts. Starts nothing yet.
 */
export function composeLedger(input: LedgerInput): LedgerHost {
  const { home, env, userHome, programs, log, clock } = input;
  const apart = apartPlace(input);
  return new LedgerHost({
    log,
    clock,
    places: agentRoots({ env, home: userHome }),
    open: (models) =>
      openLedgerThread({ folder: home.folder, wasmPath: programs.sqlWasm, models }, programs.ledger),
    collect: (ledger, roots) =>
      ledger.collect({ env, home: userHome, roots }, (message) => log.write("warn", message)),
    budgets: (ledger) =>
      new BudgetRecorder({
        ledger,
        ledgerId: ledgerId(home),
        // Recording actual use needs no history to estimate from.
        budgetsOf: (project) => projectBudgets(project, { ...input, history: noHistory, apart }),
        log,
        clock,
      }),
  });
}

/** Where the service keeps spending of projects: its own home, unless the user trusts the folder or uses its budgets. */
function apartPlace({ home, platform, log }: Pick<ServicePorts, "home" | "platform" | "log">): ApartPlace {
  const onProblem = (message: string) => log.write("warn", message);
  const trust = new FolderTrust({ file: home.trustedFolders, platform, onProblem });
  return { folder: home.spending, isTrusted: trust.isTrusted };
}

/** How long the list of agents with hooks is cached: users who install hooks check for the effect. Milliseconds. */
const heldTrust = 5000;

/** Composes what holds agents to their budgets, and what reports the budgets' status to windows, from the same data. */
function composeBudgets({ ledger, live, settings, memory, owned, home, ...ports }: Shared) {
  const { clock, env, userHome, budgetMode: mode = () => settings.now().budgets } = ports;
  const problems = new RepeatedProblems(ports.onProblem, () => clock.now());
  const onProblem = (message: string) => problems.add("budgets", message);
  const apart = apartPlace({ ...ports, home });
  const history = recentHistory((asked) => ledger.recentTokens(asked));
  const checks = new BudgetChecks({
    budgetsOf: (project) => projectBudgets(project, { ...ports, history, apart }),
    sync: async (project, asked) => await (await ledger.budgetRecorder())?.sync(project, asked),
    live,
    pause: (milliseconds) => pause(milliseconds),
    clock,
    onProblem,
  });
  // Windows ask every second, and settings change seldom.
  const held = new TtlCache((project) => heldPrograms(project, { env, home: userHome }), {
    trust: heldTrust,
    now: () => performance.now(),
  });
  const feed = owned.add(
    new BudgetStatusFeed({
      checks,
      mode,
      clock,
      held: (project) => held.get(project),
      propose: proposalMaker({
        ask: async (question) => {
          const asked = await ledger.read(question);
          return asked.ok ? asked.value : undefined;
        },
        history,
        clock,
      }),
      offers: new BudgetOffers(home, onProblem),
      history,
      record: async () => await (await ledger.budgetRecorder())?.record(),
    }),
  );
  owned.add(
    ledger.onBudgetsRecorded((project) => {
      checks.watchOf(project).forget();
      feed.ask();
    }),
  );
  return { feed, handler: budgetHandler({ mode, onProblem, memory, checks }) };
}

/** Composes what holds messages between agents, and asks the user about them: in windows, beside the agent's prompt. */
function composeMessages({ ledger, platform, clock, settings, memory, onProblem }: Shared) {
  const record = async (entry: QuestionEntry) => {
    const appended = await ledger.append([entry]);
    if (!appended.ok) onProblem(`A message between agents is not recorded: ${appended.detail}`);
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
