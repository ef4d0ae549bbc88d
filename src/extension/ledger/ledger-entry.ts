import type * as vscode from "vscode";
import { registerPanel } from "../panels/register.ts";
import { panels } from "../panels/registry.ts";
import type { Services } from "../services.ts";

export function registerLedger(services: Services): vscode.Disposable {
  return registerPanel(services, panels.ledger, async () => {
    const { LedgerPanel } = await import("./ledger-panel.ts");
    return new LedgerPanel(services);
  });
}
