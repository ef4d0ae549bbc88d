import path from "node:path";
import * as vscode from "vscode";

const { t } = vscode.l10n;

/** Evolves an agent's prompt in a new terminal, which shows the price and asks first. */
export function evolveInTerminal(
  agent: string,
  { extensionPath, folder }: { readonly extensionPath: string; readonly folder: string | null },
): void {
  const terminal = vscode.window.createTerminal({
    name: t("Evolve {0}", agent),
    iconPath: new vscode.ThemeIcon("beaker"),
    shellPath: process.execPath,
    shellArgs: [path.join(extensionPath, "dist", "cli.cjs"), "evolve", agent],
    // The editor closes a terminal when its program ends, even with unread output. In the desktop editor
    // `process.execPath` is the editor itself; this variable makes it run as Node.
    env: { ELECTRON_RUN_AS_NODE: "1", PURSER_HOLD_OPEN: "1", PURSER_LANG: vscode.env.language },
    ...(folder === null ? {} : { cwd: folder }),
  });
  terminal.show();
}
