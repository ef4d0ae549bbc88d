import * as vscode from "vscode";
import { loadAtConnection } from "../editor/lazy-host.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { HandoverHost } from "./handover-host.ts";
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
  const register = (command: string, run: (host: HandoverHost, target: unknown) => Promise<void>) =>
    vscode.commands.registerCommand(command, async (target?: unknown) => run(await host.get(), target));
  const owned = vscode.Disposable.from(
    loadAtConnection(services, host),
    register("purser.startHandover", (own, target) => own.start(target)),
    register("purser.improveHandover", (own, target) => own.improve(target)),
    register("purser.continueFrom", (own, target) => own.continueFrom(target)),
    host,
  );
  return {
    handOver: async ({ id }) => {
      (await host.get()).handOver(id);
    },
    dispose: () => void owned.dispose(),
  };
}
