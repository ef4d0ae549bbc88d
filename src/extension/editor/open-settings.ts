import * as vscode from "vscode";

/**
 * Opens the page where the settings can be changed. Most are machine settings, which a remote window has on a
 * separate page.
 */
export async function openSettings(query: string): Promise<void> {
  const isRemote = vscode.env.remoteName !== undefined;
  const command = isRemote ? "workbench.action.openRemoteSettings" : "workbench.action.openSettings";
  await vscode.commands.executeCommand(command, { query });
}
