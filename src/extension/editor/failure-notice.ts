import * as vscode from "vscode";

const { t } = vscode.l10n;

/** Shows an error message and offers the log. */
export async function showFailure(
  log: Pick<vscode.LogOutputChannel, "show">,
  message: string,
): Promise<void> {
  const showLog = t("Show Log");
  const chosen = await vscode.window.showErrorMessage(message, showLog);
  if (chosen === showLog) log.show();
}
