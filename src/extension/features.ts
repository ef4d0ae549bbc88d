import * as vscode from "vscode";
import { Observable } from "../engine/base/observable.ts";
import { registerAnomalyNotices } from "./ledger/anomaly-notices.ts";
import { registerBench } from "./bench/bench-entry.ts";
import type { BenchBadge } from "./bench/bench-badge.ts";
import { noBadge } from "./budgets/budgets-badge.ts";
import { registerCommands } from "./commands.ts";
import { registerCompare } from "./compare/compare-entry.ts";
import { registerChatFacts } from "./service/tell-chat.ts";
import { registerContextKeys } from "./service/context-keys.ts";
import type { GuardRow } from "./guard/guard-badge.ts";
import { registerGuard } from "./guard/guard-entry.ts";
import { registerHandover } from "./handover/handover-entry.ts";
import { ContextFills } from "./sessions/fill/fills.ts";
import { HandoverLinks } from "./handover/links.ts";
import { Offers } from "./handover/last-work-offers.ts";
import { registerLedger } from "./ledger/ledger-entry.ts";
import { Mutes } from "./sessions/mutes.ts";
import { newLink } from "./service/new-link.ts";
import { registerProposals } from "./instructions/proposal-entry.ts";
import { registerReadOnlyTexts } from "./editor/texts/read-only.ts";
import { registerEconomyPanel } from "./economy/economy-entry.ts";
import { registerRecurringAgents } from "./economy/agents/economy-agents-entry.ts";
import { registerRent } from "./instructions/instructions-entry.ts";
import { registerRules } from "./rules/rules-entry.ts";
import { registerSample } from "./sample/sample-entry.ts";
import { serviceConnection } from "./service/connection.ts";
import type { Services } from "./services.ts";
import { registerSessionsView } from "./sessions/sessions-view.ts";
import { onSettingsChange, readViewSettings } from "./editor/settings.ts";
import { registerStatusBar } from "./sessions/status-bar.ts";
import { registerStatusPanel } from "./report/report-entry.ts";
import { ActNow } from "./sessions/urgency/act-now.ts";
import { registerWarnings } from "./sessions/warnings/warnings-entry.ts";
import { WindowSessions } from "./sessions/in-window.ts";

/** What lives as long as the window. */
export interface Running {
  /** Starts the link to the service, which all features observe. */
  readonly start: () => void;
  /** Resolves when what this window hosts has been written and removed. */
  readonly stop: () => Promise<void>;
}

/** Registers all features, one per file. */
export function registerFeatures(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Running {
  const link = newLink(context, log);
  const mutes = new Mutes(context.globalState);
  const actNow = new ActNow(() => readViewSettings().colours);
  const sessions = new WindowSessions({ link, memory: context.workspaceState, mutes, actNow });
  const budgetBadge = new Observable(noBadge);
  const benchBadge = new Observable<BenchBadge | undefined>(undefined);
  const guardRow = new Observable<GuardRow>(null);
  const rulesBadge = new Observable(0);
  const service = serviceConnection(link);
  const handovers = new HandoverLinks(service);
  const fills = new ContextFills({ service, sessions });
  const offers = new Offers({ service, sessions, handovers });
  const follow: Services["follow"] = (command, ...targets) =>
    void vscode.commands.executeCommand(command, ...targets);
  const services: Services = { context, log, link, service, sessions, mutes, handovers, offers, follow };
  const sample = registerSample(services);
  const handover = registerHandover(services);
  context.subscriptions.push(
    link,
    sessions,
    mutes,
    handovers,
    offers,
    fills,
    handover,
    budgetBadge,
    benchBadge,
    guardRow,
    registerStatusBar(services, { budgets: budgetBadge, bench: benchBadge, guard: guardRow, fills }),
    registerSessionsView(services, rulesBadge),
    registerWarnings(services),
    registerAnomalyNotices(services),
    registerCommands(services, handover),
    registerContextKeys(services),
    registerReadOnlyTexts(),
    registerChatFacts(services),
    registerLedger(services),
    registerGuard(services, budgetBadge, guardRow),
    registerBench(services, benchBadge),
    registerCompare(services),
    rulesBadge,
    registerRules(services, rulesBadge),
    registerRent(services),
    registerProposals(services),
    registerRecurringAgents(services),
    registerStatusPanel(services),
    registerEconomyPanel(services),
    sample,
    onSettingsChange(() => {
      link.configure();
      offers.forget();
    }),
  );
  return {
    start: () => link.start(),
    stop: async () => {
      await Promise.all([link.stop(), sample.stop()]);
    },
  };
}
