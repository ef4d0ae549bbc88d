import * as vscode from "vscode";

const { t } = vscode.l10n;

/** The editor shows so much of a notification without buttons, on one line, and hides the rest. Characters. */
const longestLine = 60;

/** Tells something that asks for nothing. */
export async function tell(message: string): Promise<void> {
  await vscode.window.showInformationMessage(message, ...seenWhole(message));
}

/** Warns of something that asks for nothing. */
export async function warn(message: string): Promise<void> {
  await vscode.window.showWarningMessage(message, ...seenWhole(message));
}

function seenWhole(message: string): string[] {
  return message.length > longestLine ? [t("OK")] : [];
}
