import * as vscode from "vscode";
import { loadAtConnection, registerLazyCommands, type CommandHost } from "../editor/lazy-host.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { Services } from "../services.ts";
import type { PanelKind } from "./registry.ts";

/** A feature with a panel, once its code is loaded. */
export interface PanelHost<Command extends string> extends CommandHost<Command> {
  /** Takes over a panel that the editor restores after the window was reloaded. */
  adopt(panel: vscode.WebviewPanel): unknown;
}

/**
 * Registers a panel and its commands.
 * @param load loads its host, at the time given by `loadedAt`
 */
export function registerPanel<Command extends string>(
  services: Pick<Services, "link" | "log">,
  { viewType, commands, loadedAt }: PanelKind<Command>,
  load: () => Promise<PanelHost<Command>>,
): vscode.Disposable {
  const host = new LazyPart(load);
  return vscode.Disposable.from(
    ...(loadedAt === "connection" ? [loadAtConnection(services, host)] : []),
    registerLazyCommands(host, commands),
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel) => {
        await (await host.get()).adopt(panel);
      },
    }),
    host,
  );
}
