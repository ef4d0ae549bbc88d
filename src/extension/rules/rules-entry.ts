import type * as vscode from "vscode";
import type { Observable } from "../../engine/base/observable.ts";
import { registerPanel } from "../panels/register.ts";
import { panels } from "../panels/registry.ts";
import type { Services } from "../services.ts";

export function registerRules(services: Services, badge: Observable<number>): vscode.Disposable {
  return registerPanel(services, panels.rules, async () => {
    const { RulesHost } = await import("./rules-host.ts");
    return new RulesHost(services, badge);
  });
}
