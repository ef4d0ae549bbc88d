import path from "node:path";
import * as vscode from "vscode";

const { t } = vscode.l10n;

/** Has an agent's prompt rewritten and measured in a terminal of its own, which shows what it would spend and asks before it does. */
export function evolveInTerminal(
  agent: string,
  { extensionPath, folder }: { readonly extensionPath: string; readonly folder: string | null },
): void {
  const terminal = vscode.window.createTerminal({
    name: t("Evolve {0}", agent),
    iconPath: new vscode.ThemeIcon("beaker"),
    shellPath: process.execPath,
    shellArgs: [path.join(extensionPath, "dist", "cli.cjs"), "evolve", agent],
    // An editor closes a terminal with its program, whatever that said last.
    // In the desktop editor `process.execPath` is the editor, which this makes a Node.
    env: { ELECTRON_RUN_AS_NODE: "1", PURSER_HOLD_OPEN: "1" },
    ...(folder === null ? {} : { cwd: folder }),
  });
  terminal.show();
}
