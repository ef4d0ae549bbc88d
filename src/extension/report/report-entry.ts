import type * as vscode from "vscode";
import { registerPanel } from "../panels/register.ts";
import { panels } from "../panels/registry.ts";
import type { Services } from "../services.ts";

export function registerStatusPanel(services: Services): vscode.Disposable {
  return registerPanel(services, panels.report, async () => {
    const { StatusPanel } = await import("./report-panel.ts");
    return new StatusPanel(services);
  });
}
