import type * as vscode from "vscode";
import { Observable } from "../engine/base/observable.ts";
import { registerAnomalyNotices } from "./ledger/anomaly-notices.ts";
import { registerBench } from "./bench/entry.ts";
import type { BenchBadge } from "./bench/badge.ts";
import { noBadge } from "./budgets/badge.ts";
import { registerCommands } from "./commands.ts";
import { registerCompare } from "./compare/entry.ts";
import { registerContextKeys } from "./service/context-keys.ts";
import { registerGuard } from "./guard/entry.ts";
import { registerLedger } from "./ledger/entry.ts";
import { Mutes } from "./sessions/mutes.ts";
import { newLink } from "./service/new-link.ts";
import { registerProposals } from "./instructions/proposal-entry.ts";
import { registerRent } from "./instructions/entry.ts";
import { registerRules } from "./rules/entry.ts";
import { serviceConnection } from "./service/connection.ts";
import type { ServiceLink } from "./service/link.ts";
import type { Services } from "./services.ts";
import { registerSessionsView } from "./sessions/view.ts";
import { onSettingsChange } from "./editor/settings.ts";
import { registerStatusBar } from "./sessions/status-bar.ts";
import { registerStatusPanel } from "./report/entry.ts";
import { registerWarnings } from "./sessions/warnings.ts";
import { WindowSessions } from "./sessions/in-window.ts";

/**
 * Registers all features, one per file. The returned link to the service, which they all observe, is not
 * started yet.
 */
export function registerFeatures(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): ServiceLink {
  const link = newLink(context, log);
  const sessions = new WindowSessions(link, context.workspaceState);
  const mutes = new Mutes(context.globalState);
  const budgetBadge = new Observable(noBadge);
  const benchBadge = new Observable<BenchBadge | undefined>(undefined);
  const rulesBadge = new Observable(0);
  const service = serviceConnection(link);
  const services: Services = { context, log, link, service, sessions, mutes };
  context.subscriptions.push(
    link,
    sessions,
    mutes,
    budgetBadge,
    benchBadge,
    registerStatusBar(services, budgetBadge, benchBadge),
    registerSessionsView(services, rulesBadge),
    registerWarnings(services),
    registerAnomalyNotices(services),
    registerCommands(services),
    registerContextKeys(services),
    registerLedger(services),
    registerGuard(services, budgetBadge),
    registerBench(services, benchBadge),
    registerCompare(services),
    rulesBadge,
    registerRules(services, rulesBadge),
    registerRent(services),
    registerProposals(services),
    registerStatusPanel(services),
    onSettingsChange(() => link.configure()),
  );
  return link;
}
