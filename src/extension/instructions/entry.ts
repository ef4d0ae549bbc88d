import * as vscode from "vscode";
import { isRentFile } from "./files.ts";
import { rentCommands } from "./commands.ts";
import type { RentHost } from "./host.ts";
import type { Services } from "../services.ts";

/** Rent of instructions: its code is loaded when such a file is opened, or one of its commands is used. */
export function registerRent(services: Services): vscode.Disposable {
  let loading: Promise<RentHost> | undefined;
  const load = async () => {
    const { RentHost } = await import("./parts.ts");
    return new RentHost(services);
  };
  const host = () => (loading ??= load());
  const look = ({ uri }: vscode.TextDocument) => {
    if (uri.scheme !== "file" || !isRentFile(uri.fsPath)) return;
    opened.dispose();
    host().catch((error: unknown) => services.log.error(String(error)));
  };
  const opened = vscode.workspace.onDidOpenTextDocument(look);
  for (const document of vscode.workspace.textDocuments) look(document);
  return vscode.Disposable.from(
    opened,
    ...rentCommands.map((command) =>
      vscode.commands.registerCommand(command, async (target?: unknown) =>
        (await host()).run(command, target),
      ),
    ),
    { dispose: () => void loading?.then((held) => held.dispose()) },
  );
}
