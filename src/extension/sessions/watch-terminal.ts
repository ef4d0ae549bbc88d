import path from "node:path";
import * as vscode from "vscode";
import { readEnvironment } from "../editor/settings.ts";

/**
 * Shows the same figures in a terminal: runs purser's own program on the editor's Node, so that nothing has to be
 * installed.
 */
export function watchInTerminal({ extensionPath }: vscode.ExtensionContext): void {
  const { CLAUDE_CONFIG_DIR: folders } = readEnvironment();
  const terminal = vscode.window.createTerminal({
    name: "purser",
    iconPath: new vscode.ThemeIcon("dashboard"),
    shellPath: process.execPath,
    shellArgs: [path.join(extensionPath, "dist", "cli.cjs"), "status", "--watch"],
    // In the desktop editor `process.execPath` is the editor itself; this variable makes it run as Node.
    env: { ELECTRON_RUN_AS_NODE: "1", ...(folders === undefined ? {} : { CLAUDE_CONFIG_DIR: folders }) },
  });
  terminal.show();
}
