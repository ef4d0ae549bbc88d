import type * as vscode from "vscode";
import { registerPanel } from "../panels/register.ts";
import { panels } from "../panels/registry.ts";
import type { Services } from "../services.ts";

export function registerCompare(services: Services): vscode.Disposable {
  return registerPanel(services, panels.compare, async () => {
    const { CompareHost } = await import("./compare-host.ts");
    return new CompareHost(services);
  });
}
