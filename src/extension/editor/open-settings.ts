import * as vscode from "vscode";

/** Opens the settings where they can be set: most of ours are a machine's, which a remote window has on a page of its own. */
export async function openSettings(query: string): Promise<void> {
  const isRemote = vscode.env.remoteName !== undefined;
  const command = isRemote ? "workbench.action.openRemoteSettings" : "workbench.action.openSettings";
  await vscode.commands.executeCommand(command, { query });
}
