import "./panels/translation.ts";
import * as vscode from "vscode";
import { registerFeatures, type Running } from "./features.ts";
import { t } from "../engine/base/language.ts";

let running: Running | undefined;

/**
 * Returns at once, so that other extensions need not wait: everything is registered in the event loop's next turn. The
 * editor's first request, over a socket, can arrive no sooner than in the turn after that.
 */
export function activate(context: vscode.ExtensionContext): void {
  const beginning = setImmediate(() => begin(context));
  context.subscriptions.push({ dispose: () => clearImmediate(beginning) });
}

/** Stops a service hosted by this window after its writes, and closes the sample; the editor waits a few seconds for that. */
export async function deactivate(): Promise<void> {
  await running?.stop();
}

/** Registers everything before any file is touched or anything is started. */
function begin(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const log = vscode.window.createOutputChannel("Context Purser", { log: true });
  context.subscriptions.push(log);
  try {
    running = registerFeatures(context, log);
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
    void showActivationFailure(log);
    return;
  }
  log.info(`Registered in ${(performance.now() - began).toFixed(1)} ms.`);
  const start = setImmediate(() => running?.start());
  context.subscriptions.push({ dispose: () => clearImmediate(start) });
}

/** Nothing of purser works after this failure, so the user is notified. */
async function showActivationFailure(log: vscode.LogOutputChannel): Promise<void> {
  const showLog = t("Show Log");
  const message = t("Context Purser could not start. See the log.");
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
