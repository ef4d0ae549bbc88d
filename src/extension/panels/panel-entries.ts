import * as vscode from "vscode";
import type { Observable } from "../../engine/base/events.ts";
import type { BenchBadge } from "../sessions/status-text.ts";
import { panels, type PanelHost, type PanelKind } from "./registry.ts";
import type { Services } from "../services.ts";
import { loadAtConnection, registerLazyCommands } from "../editor/lazy-host.ts";
import { LazyPart } from "../editor/lazy-part.ts";

/**
 * Registers a panel and its commands.
 * @param load loads its host, at the time given by `loadedAt`
 */
export function registerPanel<Command extends string>(
  services: Pick<Services, "link" | "log">,
  { viewType, formerViewTypes = [], commands, loadedAt }: PanelKind<Command>,
  load: () => Promise<PanelHost<Command>>,
): vscode.Disposable {
  const host = new LazyPart(load);
  return vscode.Disposable.from(
    ...(loadedAt === "connection" ? [loadAtConnection(services, host)] : []),
    registerLazyCommands(host, commands),
    ...[viewType, ...formerViewTypes].map((type) =>
      vscode.window.registerWebviewPanelSerializer(type, {
        deserializeWebviewPanel: async (panel) => {
          await (await host.get()).adopt(panel);
        },
      }),
    ),
    host,
  );
}

/** Registers the features that are nothing but a panel. The editor's part of each is loaded on first use. */
export function registerPanels(
  services: Services,
  badges: { readonly bench: Observable<BenchBadge | undefined>; readonly rules: Observable<number> },
): vscode.Disposable {
  return vscode.Disposable.from(
    registerPanel(services, panels.ledger, async () => {
      const { LedgerPanel } = await import("../ledger/ledger-panel.ts");
      return new LedgerPanel(services);
    }),
    registerPanel(services, panels.experiments, async () => {
      const { ExperimentsHost } = await import("../experiments/experiments-host.ts");
      return new ExperimentsHost(services, badges.bench);
    }),
    registerPanel(services, panels.rules, async () => {
      const { RulesHost } = await import("../rules/rules-host.ts");
      return new RulesHost(services, badges.rules);
    }),
    registerPanel(services, panels.economy, async () => {
      const { EconomyPanel } = await import("../economy/economy-panel.ts");
      return new EconomyPanel(services);
    }),
  );
}
