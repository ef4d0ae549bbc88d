import * as vscode from "vscode";
import type { Services } from "../services.ts";
import type { StatusPanel } from "./panel.ts";
import { statusPanelViewType } from "./view-type.ts";

/** Shows the status report, whose code is loaded when it is first asked for, and brings it back after a reload of the window. */
export function registerStatusPanel(services: Services): vscode.Disposable {
  let loading: Promise<StatusPanel> | undefined;
  const load = async () => {
    const { StatusPanel } = await import("./panel.ts");
    return new StatusPanel(services);
  };
  const panel = () => (loading ??= load());
  return vscode.Disposable.from(
    vscode.commands.registerCommand("purser.showReport", async () => (await panel()).reveal()),
    vscode.window.registerWebviewPanelSerializer(statusPanelViewType, {
      deserializeWebviewPanel: async (restored) => {
        (await panel()).adopt(restored);
      },
    }),
    { dispose: () => void loading?.then((held) => held.dispose()) },
  );
}
