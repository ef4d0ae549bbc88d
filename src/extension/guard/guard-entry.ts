import * as vscode from "vscode";
import type { Observable } from "../../engine/base/events.ts";
import type { BudgetBadge } from "../sessions/status-text.ts";
import { lazyCommands, guardFileCommands } from "../editor/lazy-commands.ts";
import { loadAtConnection, registerLazyCommands } from "../editor/lazy-host.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { GuardRow } from "./guard-feed.ts";
import { panels } from "../panels/registry.ts";
import { registerPanel } from "../panels/panel-entries.ts";
import type { Services } from "../services.ts";
import { rulesFileKind } from "./file/kind.ts";

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

/** Registers help with files of guard rules: its code is loaded when one is opened, or on first use of its commands. */
function registerGuardFiles(services: Services): vscode.Disposable {
  const host = new LazyPart(async () => {
    const { GuardFileHost } = await import("./file/file-host.ts");
    return new GuardFileHost(services);
  });
  const help = ({ uri }: vscode.TextDocument) => {
    if (rulesFileKind(uri) === null) return;
    opened.dispose();
    host.get().catch((error: unknown) => services.log.error(String(error)));
  };
  const opened = vscode.workspace.onDidOpenTextDocument(help);
  for (const document of vscode.workspace.textDocuments) help(document);
  return vscode.Disposable.from(opened, registerLazyCommands(host, guardFileCommands), host);
}
