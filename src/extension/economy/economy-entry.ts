import type * as vscode from "vscode";
import { registerPanel } from "../panels/register.ts";
import { panels } from "../panels/registry.ts";
import type { Services } from "../services.ts";

export function registerEconomyPanel(services: Services): vscode.Disposable {
  return registerPanel(services, panels.economy, async () => {
    const { EconomyPanel } = await import("./economy-panel.ts");
    return new EconomyPanel(services);
  });
}
