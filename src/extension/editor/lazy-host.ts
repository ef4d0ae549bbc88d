import * as vscode from "vscode";
import { LazyPart } from "./lazy-part.ts";
import type { Services } from "../services.ts";

/** Runs a feature's commands. */
export interface CommandHost<Command extends string> extends vscode.Disposable {
  run(command: Command, target: unknown): unknown;
}

/** Registers commands with a host that is loaded on first use of any of them. */
export function registerLazyCommands<Command extends string>(
  host: LazyPart<CommandHost<Command>>,
  commands: readonly Command[],
): vscode.Disposable {
  return vscode.Disposable.from(
    ...commands.map((command) =>
      vscode.commands.registerCommand(command, async (target?: unknown) =>
        (await host.get()).run(command, target),
      ),
    ),
  );
}

/** Loads a host as soon as the window is connected, for features that act on their own. */
export function loadAtConnection(
  { link, log }: Pick<Services, "link" | "log">,
  host: LazyPart<vscode.Disposable>,
): vscode.Disposable {
  const connected = link.onClient(() => {
    connected.dispose();
    host.get().catch((error: unknown) => log.error(String(error)));
  });
  return connected;
}
