import * as vscode from "vscode";

const { t } = vscode.l10n;

/**
 * Begins `purser select` in a terminal of its own: it shows the plan and its price there, and asks before anything is spent. Closing
 * the terminal ends it; begun again, it goes on where it stopped.
 */
export function selectInTerminal(
  agent: string,
  { extensionUri }: Pick<vscode.ExtensionContext, "extensionUri">,
): void {
  const cli = vscode.Uri.joinPath(extensionUri, "dist", "cli.cjs").fsPath;
  const terminal = vscode.window.createTerminal({
    name: t("Select Rules"),
    shellPath: process.execPath,
    shellArgs: [cli, "select", agent],
    env: { ELECTRON_RUN_AS_NODE: "1" },
    iconPath: new vscode.ThemeIcon("law"),
  });
  terminal.show();
}
