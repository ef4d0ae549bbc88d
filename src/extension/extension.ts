import * as vscode from "vscode";
import { sayItFailed } from "./activation-failure.ts";
import { registerAnomalyNotices } from "./anomaly-notices.ts";
import { registerCommands } from "./commands.ts";
import { registerContextKeys } from "./context-keys.ts";
import { registerLedger } from "./ledger-command.ts";
import { Mutes } from "./mutes.ts";
import { newLink } from "./new-link.ts";
import { serviceLedgerSource } from "./service-ledger-source.ts";
import type { ServiceLink } from "./service-link.ts";
import type { Services } from "./services.ts";
import { registerSessionsView } from "./sessions-view.ts";
import { onSettingsChange } from "./settings.ts";
import { registerStatusBar } from "./status-bar.ts";
import { registerWarnings } from "./warnings.ts";
import { WindowSessions } from "./window-sessions.ts";

let link: ServiceLink | undefined;

/** Registers everything and returns. No file is touched and nothing is started before that. */
export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const log = vscode.window.createOutputChannel("Context Purser", { log: true });
  context.subscriptions.push(log);
  try {
    register(context, log);
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
    void sayItFailed(log);
    throw error;
  }
  log.info(`Activated in ${(performance.now() - began).toFixed(1)} ms.`);
}

/** A service that this window hosts finishes its writes; the editor waits for that for a few seconds. */
export async function deactivate(): Promise<void> {
  await link?.stop();
}

function register(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): void {
  link = newLink(context, log);
  const sessions = new WindowSessions(link, context.workspaceState);
  const mutes = new Mutes(context.globalState);
  const services: Services = { context, log, link, sessions, mutes };
  context.subscriptions.push(
    link,
    sessions,
    mutes,
    registerStatusBar(services),
    registerSessionsView(services),
    registerWarnings(services),
    registerAnomalyNotices(services),
    registerCommands(services),
    registerContextKeys(services),
    registerLedger(services, serviceLedgerSource(link)),
    onSettingsChange(() => services.link.configure()),
  );
  const start = setImmediate(() => services.link.start());
  context.subscriptions.push({ dispose: () => clearImmediate(start) });
}
