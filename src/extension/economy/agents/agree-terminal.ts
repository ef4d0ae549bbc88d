import path from "node:path";
import * as vscode from "vscode";
import { readEnvironment } from "../../editor/settings.ts";

/** Work for `purser` in a terminal, where the user sees the plan and the price, and is asked. */
export interface TerminalTask {
  /** Words after `purser`. Outside text is checked before it becomes one. */
  readonly words: readonly string[];
  readonly name: string;
  readonly icon: string;
  /** Where it runs. */
  readonly project: string;
  readonly extensionPath: string;
}

/**
 * Runs purser's own program in a terminal, on the editor's Node. A terminal that was left open after the same task is replaced: its caller knows
 * that nothing is at work in it.
 */
export function runInTerminal(task: TerminalTask): void {
  const { words, name, icon, project, extensionPath } = task;
  vscode.window.terminals.find((terminal) => isOf(terminal, task))?.dispose();
  const { CLAUDE_CONFIG_DIR: folders } = readEnvironment();
  const terminal = vscode.window.createTerminal({
    name,
    iconPath: new vscode.ThemeIcon(icon),
    shellPath: process.execPath,
    shellArgs: [path.join(extensionPath, "dist", "cli.cjs"), ...words],
    cwd: project,
    // The editor closes a terminal when its program ends, even with unread output. In the desktop editor
    // `process.execPath` is the editor itself; this variable makes it run as Node.
    env: {
      ELECTRON_RUN_AS_NODE: "1",
      PURSER_HOLD_OPEN: "1",
      PURSER_LANG: vscode.env.language,
      ...(folders === undefined ? {} : { CLAUDE_CONFIG_DIR: folders }),
    },
  });
  terminal.show();
}

function isOf({ creationOptions, exitStatus }: vscode.Terminal, { words, project }: TerminalTask): boolean {
  if (!("shellArgs" in creationOptions) || exitStatus !== undefined) return false;
  const { shellArgs: args, cwd } = creationOptions;
  return (
    Array.isArray(args) &&
    path.basename(args[0] ?? "") === "cli.cjs" &&
    args.slice(1).join(" ") === words.join(" ") &&
    (typeof cwd === "string" ? cwd : cwd?.fsPath) === project
  );
}
