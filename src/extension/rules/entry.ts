import * as vscode from "vscode";
import type { Observable } from "../../engine/base/observable.ts";
import { rulesCommands } from "./commands.ts";
import type { RulesHost } from "./host.ts";
import { rulesViewType } from "./view-type.ts";
import type { Services } from "../services.ts";

/** Rules: their code is loaded once the window is connected, when one of their commands is used, or a panel comes back. */
export function registerRules(services: Services, mark: Observable<number>): vscode.Disposable {
  let loading: Promise<RulesHost> | undefined;
  const load = async () => {
    const { RulesHost } = await import("./host.ts");
    return new RulesHost(services, mark);
  };
  const host = () => (loading ??= load());
  const connected = services.link.onClient(() => {
    connected.dispose();
    host().catch((error: unknown) => services.log.error(String(error)));
  });
  return vscode.Disposable.from(
    connected,
    ...rulesCommands.map((command) =>
      vscode.commands.registerCommand(command, async (target?: unknown) =>
        (await host()).run(command, target),
      ),
    ),
    vscode.window.registerWebviewPanelSerializer(rulesViewType, {
      deserializeWebviewPanel: async (panel) => (await host()).adopt(panel),
    }),
    { dispose: () => void loading?.then((held) => held.dispose()) },
  );
}
