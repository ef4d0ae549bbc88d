import path from "node:path";
import * as vscode from "vscode";
import { registerCommands } from "./commands.ts";
import { registerContextKeys } from "./context-keys.ts";
import { MonitorClient } from "./monitor-client.ts";
import { Mutes } from "./mutes.ts";
import type { Services } from "./services.ts";
import { registerSessionsView } from "./sessions-view.ts";
import { onSettingsChange } from "./settings.ts";
import { registerStatusBar } from "./status-bar.ts";
import { registerWarnings } from "./warnings.ts";
import { WindowSessions } from "./window-sessions.ts";

/** Registers everything and returns. No file is touched and no thread started before that. */
export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const log = vscode.window.createOutputChannel("Context Purser", { log: true });
  const monitor = new MonitorClient(path.join(context.extensionPath, "dist"), log);
  const sessions = new WindowSessions(monitor, context.workspaceState);
  const mutes = new Mutes(context.globalState);
  const services: Services = { context, log, monitor, sessions, mutes };
  context.subscriptions.push(
    log,
    monitor,
    sessions,
    mutes,
    registerStatusBar(services),
    registerSessionsView(services),
    registerWarnings(services),
    registerCommands(services),
    registerContextKeys(services),
    onSettingsChange(({ placesChanged }) => (placesChanged ? monitor.retry() : monitor.configure())),
  );
  const start = setImmediate(() => monitor.start());
  context.subscriptions.push({ dispose: () => clearImmediate(start) });
  log.info(`Activated in ${(performance.now() - began).toFixed(1)} ms.`);
}
