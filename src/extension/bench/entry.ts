import * as vscode from "vscode";
import type { Observable } from "../../engine/base/observable.ts";
import { benchCommands } from "./commands.ts";
import type { BenchHost } from "./host.ts";
import type { BenchMark } from "./mark.ts";
import { benchViewType } from "./view-type.ts";
import type { Services } from "../services.ts";

/** Benches: their code is loaded once the window is connected, when one of their commands is used, or a panel comes back. */
export function registerBench(
  services: Services,
  marks: Observable<BenchMark | undefined>,
): vscode.Disposable {
  let loading: Promise<BenchHost> | undefined;
  const load = async () => {
    const { BenchHost } = await import("./host.ts");
    return new BenchHost(services, marks);
  };
  const host = () => (loading ??= load());
  const connected = services.link.onClient(() => {
    connected.dispose();
    host().catch((error: unknown) => services.log.error(String(error)));
  });
  return vscode.Disposable.from(
    connected,
    ...benchCommands.map((command) =>
      vscode.commands.registerCommand(command, async (target?: unknown) =>
        (await host()).run(command, target),
      ),
    ),
    vscode.window.registerWebviewPanelSerializer(benchViewType, {
      deserializeWebviewPanel: async (panel) => await (await host()).adopt(panel),
    }),
    { dispose: () => void loading?.then((held) => held.dispose()) },
  );
}
