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

function register(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): void {
  const monitor = new MonitorClient(path.join(context.extensionPath, "dist"), log);
  const sessions = new WindowSessions(monitor, context.workspaceState);
  const mutes = new Mutes(context.globalState);
  const services: Services = { context, log, monitor, sessions, mutes };
  context.subscriptions.push(
    monitor,
    sessions,
    mutes,
    registerStatusBar(services),
    registerSessionsView(services),
    registerWarnings(services),
    registerCommands(services),
    registerContextKeys(services),
    onSettingsChange(({ placesChanged }) => {
      if (placesChanged) void monitor.retry();
      else monitor.configure();
    }),
  );
  const start = setImmediate(() => monitor.start());
  context.subscriptions.push({ dispose: () => clearImmediate(start) });
}

async function sayItFailed(log: vscode.LogOutputChannel): Promise<void> {
  const showLog = vscode.l10n.t("Show Log");
  const message = vscode.l10n.t("Context Purser could not start. Its log says why.");
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
