import * as vscode from "vscode";
import type { Observable } from "../../engine/base/observable.ts";
import type { BudgetBadge } from "../budgets/budgets-badge.ts";
import { lazyCommands } from "../editor/lazy-commands.ts";
import { loadAtConnection, registerLazyCommands } from "../editor/lazy-host.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { GuardRow } from "./guard-badge.ts";
import { panels } from "../panels/registry.ts";
import { registerPanel } from "../panels/register.ts";
import type { Services } from "../services.ts";
import { registerGuardFiles } from "./file/file-entry.ts";

/**
 * Registers hooks, budgets, messages and the Guard panel: their code is loaded once the window is connected, or on first use of their
 * commands.
 */
export function registerGuard(
  services: Services,
  badge: Observable<BudgetBadge>,
  row: Observable<GuardRow>,
): vscode.Disposable {
  const host = new LazyPart(async () => {
    const { GuardHost } = await import("./guard-host.ts");
    return new GuardHost(services, badge, row);
  });
  return vscode.Disposable.from(
    loadAtConnection(services, host),
    registerLazyCommands(host, lazyCommands),
    registerGuardFiles(services),
    registerPanel(services, panels.guard, async () => {
      const { GuardPanel } = await import("./guard-panel.ts");
      return new GuardPanel(services);
    }),
    host,
  );
}
