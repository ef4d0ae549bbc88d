import * as vscode from "vscode";
import type { LedgerPanel } from "./panel.ts";
import { ledgerViewType } from "./view-type.ts";
import type { Services } from "../services.ts";

/** Opens the Ledger, whose code is loaded when it is first asked for, and brings it back after a reload of the window. */
export function registerLedger(services: Services): vscode.Disposable {
  let loading: Promise<LedgerPanel> | undefined;
  const load = async () => {
    const { LedgerPanel } = await import("./panel.ts");
    return new LedgerPanel(services);
  };
  const ledger = () => (loading ??= load());
  return vscode.Disposable.from(
    vscode.commands.registerCommand("purser.openLedger", async (session?: unknown) => {
      const isNamed = typeof session === "string" && session !== "";
      (await ledger()).show(isNamed ? session : undefined);
    }),
    vscode.window.registerWebviewPanelSerializer(ledgerViewType, {
      deserializeWebviewPanel: async (panel) => {
        (await ledger()).adopt(panel);
      },
    }),
    { dispose: () => void loading?.then((panel) => panel.dispose()) },
  );
}
