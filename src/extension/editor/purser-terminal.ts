import path from "node:path";
import * as vscode from "vscode";
import { readEnvironment } from "./settings.ts";

/** Work for `purser` in a terminal. */
export interface TerminalTask {
  /** Words after `purser`. Outside text is checked before it becomes one. */
  readonly words: readonly string[];
  readonly name: string;
  readonly icon: string;
  /** Where it runs; the editor's usual folder without one. */
  readonly folder?: string | undefined;
  /** Whether the terminal stays open: the editor closes it when its program ends, even with unread output. */
  readonly isHeldOpen: boolean;
}

/** Runs purser's own program in a terminal, on the editor's Node, so that nothing has to be installed. */
export function runInTerminal(
  { words, name, icon, folder, isHeldOpen }: TerminalTask,
  { extensionPath }: Pick<vscode.ExtensionContext, "extensionPath">,
): void {
  const { CLAUDE_CONFIG_DIR: folders } = readEnvironment();
  const terminal = vscode.window.createTerminal({
    name,
    iconPath: new vscode.ThemeIcon(icon),
    shellPath: process.execPath,
    shellArgs: [path.join(extensionPath, "dist", "cli.cjs"), ...words],
    ...(folder === undefined ? {} : { cwd: folder }),
    // In the desktop editor `process.execPath` is the editor itself; this variable makes it run as Node.
    env: {
      ELECTRON_RUN_AS_NODE: "1",
      ...(isHeldOpen ? { PURSER_HOLD_OPEN: "1" } : {}),
      PURSER_LANG: vscode.env.language,
      ...(folders === undefined ? {} : { CLAUDE_CONFIG_DIR: folders }),
    },
  });
  terminal.show();
}

/** The terminal in which a task still runs, possibly since before a restart of the extension host. */
export function terminalOf({
  words,
  folder,
}: Pick<TerminalTask, "words" | "folder">): vscode.Terminal | undefined {
  return vscode.window.terminals.find(({ creationOptions, exitStatus }) => {
    if (!("shellArgs" in creationOptions) || exitStatus !== undefined) return false;
    const { shellArgs: args, cwd } = creationOptions;
    return (
      Array.isArray(args) &&
      path.basename(args[0] ?? "") === "cli.cjs" &&
      args.slice(1).join(" ") === words.join(" ") &&
      (folder === undefined || (typeof cwd === "string" ? cwd : cwd?.fsPath) === folder)
    );
  });
}
