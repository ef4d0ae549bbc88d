import path from "node:path";
import * as vscode from "vscode";
import { readEnvironment } from "../editor/settings.ts";

/**
 * Shows the same figures in a terminal: runs purser's own program on the editor's Node, so that nothing has to be
 * installed. A terminal that still runs it is shown instead of another one.
 */
export function watchInTerminal({ extensionPath }: vscode.ExtensionContext): void {
  const running = vscode.window.terminals.find(isWatching);
  if (running !== undefined) {
    running.show();
    return;
  }
  const { CLAUDE_CONFIG_DIR: folders } = readEnvironment();
  const terminal = vscode.window.createTerminal({
    name: "purser",
    iconPath: new vscode.ThemeIcon("dashboard"),
    shellPath: process.execPath,
    shellArgs: [path.join(extensionPath, "dist", "cli.cjs"), ...watching],
    // In the desktop editor `process.execPath` is the editor itself; this variable makes it run as Node.
    env: {
      ELECTRON_RUN_AS_NODE: "1",
      PURSER_LANG: vscode.env.language,
      ...(folders === undefined ? {} : { CLAUDE_CONFIG_DIR: folders }),
    },
  });
  terminal.show();
}

const watching = ["status", "--watch"];

/** Whether a terminal is one that the command opened, before a restart of the extensions too, and its program has not ended. */
function isWatching({ creationOptions, exitStatus }: vscode.Terminal): boolean {
  const args = "shellArgs" in creationOptions ? creationOptions.shellArgs : undefined;
  return (
    exitStatus === undefined &&
    Array.isArray(args) &&
    path.basename(args[0] ?? "") === "cli.cjs" &&
    args.slice(1).join(" ") === watching.join(" ")
  );
}
