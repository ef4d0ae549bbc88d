import * as vscode from "vscode";
import { isRentFile } from "./instructions-files.ts";
import { rentCommands } from "../editor/lazy-commands.ts";
import { registerLazyCommands } from "../editor/lazy-host.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { Services } from "../services.ts";

/**
 * Registers the rent of instructions: its code is loaded when such a file is opened, or on first use of its
 * commands.
 */
export function registerRent(services: Services): vscode.Disposable {
  const host = new LazyPart(async () => {
    const { RentHost } = await import("./parts.ts");
    return new RentHost(services);
  });
  const measure = ({ uri }: vscode.TextDocument) => {
    if (uri.scheme !== "file" || !isRentFile(uri.fsPath)) return;
    opened.dispose();
    host.get().catch((error: unknown) => services.log.error(String(error)));
  };
  const opened = vscode.workspace.onDidOpenTextDocument(measure);
  for (const document of vscode.workspace.textDocuments) measure(document);
  return vscode.Disposable.from(opened, registerLazyCommands(host, rentCommands), host);
}
