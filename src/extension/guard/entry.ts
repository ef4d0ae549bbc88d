import * as vscode from "vscode";
import type { Observable } from "../../engine/base/observable.ts";
import type { BudgetMark } from "../budgets/mark.ts";
import type { GuardHost } from "./host.ts";
import { lateCommands } from "../editor/late-commands.ts";
import type { Services } from "../services.ts";

/** Hooks, budgets and messages: their code is loaded once the window is connected, or when one of their commands is used. */
export function registerGuard(services: Services, marks: Observable<BudgetMark>): vscode.Disposable {
  let loading: Promise<GuardHost> | undefined;
  const load = async () => {
    const { GuardHost } = await import("./host.ts");
    return new GuardHost(services, marks);
  };
  const host = () => (loading ??= load());
  const connected = services.link.onClient(() => {
    connected.dispose();
    host().catch((error: unknown) => services.log.error(String(error)));
  });
  return vscode.Disposable.from(
    connected,
    ...lateCommands.map((command) =>
      vscode.commands.registerCommand(command, async (target?: unknown) =>
        (await host()).run(command, target),
      ),
    ),
    { dispose: () => void loading?.then((held) => held.dispose()) },
  );
}
