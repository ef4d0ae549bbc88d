import * as vscode from "vscode";

/** Nothing of purser works after this failure, so the user is notified. */
export async function showActivationFailure(log: vscode.LogOutputChannel): Promise<void> {
  const showLog = vscode.l10n.t("Show Log");
  const message = vscode.l10n.t("Context Purser could not start. See the log.");
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
