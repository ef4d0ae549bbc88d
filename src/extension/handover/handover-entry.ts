import * as vscode from "vscode";
import { loadAtConnection } from "../editor/lazy-host.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { Services } from "../services.ts";

/** Handing sessions over. The code is loaded once the window is connected, or on first use. */
export interface Handover extends vscode.Disposable {
  readonly handOver: (session: { readonly id: string }) => Promise<void>;
}

export function registerHandover(services: Services): Handover {
  const host = new LazyPart(async () => {
    const { HandoverHost } = await import("./handover-host.ts");
    return new HandoverHost(services);
  });
  const owned = vscode.Disposable.from(
    loadAtConnection(services, host),
    vscode.commands.registerCommand("purser.startHandover", async (target?: unknown) => {
      await (await host.get()).start(target);
    }),
    vscode.commands.registerCommand("purser.improveHandover", async (target?: unknown) => {
      await (await host.get()).improve(target);
    }),
    vscode.commands.registerCommand("purser.continueFrom", async (target?: unknown) => {
      await (await host.get()).continueFrom(target);
    }),
    host,
  );
  return {
    handOver: async ({ id }) => {
      await (await host.get()).handOver(id);
    },
    dispose: () => void owned.dispose(),
  };
}
