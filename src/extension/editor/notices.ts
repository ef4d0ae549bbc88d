import * as vscode from "vscode";
import { t } from "../../engine/base/language.ts";

/** The editor shows so much of a notification without buttons, on one line, and hides the rest. Characters. */
const maxLineLength = 60;

/** Shows information without buttons. */
export async function inform(message: string): Promise<void> {
  await vscode.window.showInformationMessage(message, ...seenWhole(message));
}

/** Shows a warning without buttons. */
export async function warn(message: string): Promise<void> {
  await vscode.window.showWarningMessage(message, ...seenWhole(message));
}

/** A command that mends what a message is about. */
export interface Remedy {
  readonly label: string;
  readonly command: string;
}

export const manageTrust: Remedy = { label: t("Manage Workspace Trust"), command: "workbench.trust.manage" };
export const openFolder: Remedy = { label: t("Open Folder…"), command: "vscode.openFolder" };
export const openTerminal: Remedy = { label: t("Open Terminal"), command: "workbench.action.terminal.new" };

/** Says why something cannot be done, with the commands that change that. */
export async function offer(message: string, ...remedies: readonly Remedy[]): Promise<void> {
  const labels = remedies.map(({ label }) => label);
  const chosen = await vscode.window.showInformationMessage(message, ...labels);
  const remedy = remedies.find(({ label }) => label === chosen);
  if (remedy !== undefined) await vscode.commands.executeCommand(remedy.command);
}

function seenWhole(message: string): string[] {
  return message.length > maxLineLength ? [t("OK")] : [];
}

/** Shows an error message and offers the log. */
export async function showFailure(
  log: Pick<vscode.LogOutputChannel, "show">,
  message: string,
): Promise<void> {
  const showLog = t("Show Log");
  const chosen = await vscode.window.showErrorMessage(message, showLog);
  if (chosen === showLog) log.show();
}
