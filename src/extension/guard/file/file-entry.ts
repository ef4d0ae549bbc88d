import * as vscode from "vscode";
import { registerLazyCommands } from "../../editor/lazy-host.ts";
import { LazyPart } from "../../editor/lazy-part.ts";
import type { Services } from "../../services.ts";
import { guardFileCommands } from "./commands.ts";
import { rulesFileKind } from "./kind.ts";

/** Registers help with files of guard rules: its code is loaded when one is opened, or on first use of its commands. */
export function registerGuardFiles(services: Services): vscode.Disposable {
  const host = new LazyPart(async () => {
    const { GuardFileHost } = await import("./file-host.ts");
    return new GuardFileHost(services);
  });
  const help = ({ uri }: vscode.TextDocument) => {
    if (rulesFileKind(uri) === null) return;
    opened.dispose();
    host.get().catch((error: unknown) => services.log.error(String(error)));
  };
  const opened = vscode.workspace.onDidOpenTextDocument(help);
  for (const document of vscode.workspace.textDocuments) help(document);
  return vscode.Disposable.from(opened, registerLazyCommands(host, guardFileCommands), host);
}
