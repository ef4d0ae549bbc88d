import * as vscode from "vscode";
import type { CompareHost } from "./host.ts";
import { compareViewType } from "./view-type.ts";
import type { Services } from "../services.ts";

/** Comparisons: their code is loaded when one of their commands is used, or a panel comes back. */
export function registerCompare(services: Services): vscode.Disposable {
  let loading: Promise<CompareHost> | undefined;
  const load = async () => {
    const { CompareHost } = await import("./host.ts");
    return new CompareHost(services);
  };
  const host = () => (loading ??= load());
  return vscode.Disposable.from(
    vscode.commands.registerCommand("purser.compare", async (seed?: unknown) => (await host()).pick(seed)),
    vscode.commands.registerCommand("purser.openComparisons", async (id?: unknown) =>
      (await host()).open(id),
    ),
    vscode.commands.registerCommand("purser.evolvePrompt", async () => (await host()).evolve()),
    vscode.window.registerWebviewPanelSerializer(compareViewType, {
      deserializeWebviewPanel: async (panel) => (await host()).adopt(panel),
    }),
    { dispose: () => void loading?.then((held) => held.dispose()) },
  );
}
