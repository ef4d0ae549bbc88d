import * as vscode from "vscode";
import type { ProposalHost } from "./proposal-host.ts";
import type { Services } from "./services.ts";

/** Where `purser evolve` leaves a better prompt, in a folder of the window. */
const pattern = ".purser/proposals/*.md";

/** Proposed prompts: their code is loaded when one appears, or when somebody asks for them. */
export function registerProposals(services: Services): vscode.Disposable {
  let loading: Promise<ProposalHost> | undefined;
  const load = async () => {
    const { ProposalHost } = await import("./rent-parts.ts");
    return new ProposalHost(services);
  };
  const host = () => (loading ??= load());
  const tell = async (uri: vscode.Uri) => {
    if (!uri.path.endsWith(".receipt.md")) await (await host()).tell(uri.fsPath);
  };
  const watchers = new Map<string, vscode.Disposable>();
  const watch = () => {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    const names = new Set(folders.map(({ uri }) => uri.fsPath));
    for (const [name, watcher] of watchers) {
      if (names.has(name)) continue;
      watcher.dispose();
      watchers.delete(name);
    }
    for (const { uri } of folders) {
      if (watchers.has(uri.fsPath)) continue;
      const files = new vscode.RelativePattern(uri, pattern);
      const watcher = vscode.workspace.createFileSystemWatcher(files, false, true, true);
      watcher.onDidCreate((created) => {
        tell(created).catch((error: unknown) => services.log.error(String(error)));
      });
      watchers.set(uri.fsPath, watcher);
    }
  };
  watch();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(watch),
    vscode.commands.registerCommand("purser.openProposal", async () => (await host()).open()),
    {
      dispose: () => {
        for (const watcher of watchers.values()) watcher.dispose();
      },
    },
  );
}
