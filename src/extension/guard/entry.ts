import * as vscode from "vscode";
import type { Observable } from "../../engine/base/observable.ts";
import type { BudgetMark } from "../budgets/mark.ts";
import { lateCommands } from "../editor/late-commands.ts";
import { loadAtConnection, registerLateCommands } from "../editor/late-host.ts";
import { LatePart } from "../editor/late-part.ts";
import type { Services } from "../services.ts";

/**
 * Registers hooks, budgets and messages: their code is loaded once the window is connected, or on first use of their
 * commands.
 */
export function registerGuard(services: Services, marks: Observable<BudgetMark>): vscode.Disposable {
  const host = new LatePart(async () => {
    const { GuardHost } = await import("./host.ts");
    return new GuardHost(services, marks);
  });
  return vscode.Disposable.from(
    loadAtConnection(services, host),
    registerLateCommands(host, lateCommands),
    host,
  );
}
