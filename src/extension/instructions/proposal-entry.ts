import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import { NewProposals } from "./new-proposals.ts";
import type { ProposalHost } from "./proposal-host.ts";
import type { Services } from "../services.ts";

/** The folder in which `purser evolve` writes a better prompt, below a folder of the window. */
const proposalsFolder = ".purser/proposals";
/** Includes the folders: see `NewProposals`. */
const pattern = `{.purser,${proposalsFolder},${proposalsFolder}/*.md}`;

/** Registers proposed prompts: their code is loaded when one appears, or on first use of the command. */
export function registerProposals(services: Services): vscode.Disposable {
  let loading: Promise<ProposalHost> | undefined;
  const load = async () => {
    const { ProposalHost } = await import("./parts.ts");
    return new ProposalHost(services);
  };
  const host = () => (loading ??= load());
  const watchers = new Map<string, vscode.Disposable>();
  const watch = () => {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    const names = new Set(folders.map(({ uri }) => uri.fsPath));
    for (const [name, watcher] of watchers) {
      if (names.has(name)) continue;
      watcher.dispose();
      watchers.delete(name);
    }
    for (const { uri } of folders)
      if (!watchers.has(uri.fsPath))
        watchers.set(uri.fsPath, watchFolder(uri, { services, host, onChange: setKey }));
  };
  const setKey = () => void hasProposals(services);
  watch();
  setKey();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      watch();
      setKey();
    }),
    vscode.commands.registerCommand("purser.openProposal", async () => (await host()).open()),
    {
      dispose: () => {
        for (const watcher of watchers.values()) watcher.dispose();
      },
    },
  );
}

function watchFolder(
  folder: vscode.Uri,
  {
    services: { log },
    host,
    onChange,
  }: {
    readonly services: Services;
    readonly host: () => Promise<ProposalHost>;
    readonly onChange: () => void;
  },
): vscode.Disposable {
  const proposals = vscode.Uri.joinPath(folder, proposalsFolder);
  const fresh = new NewProposals({
    list: namesIn,
    notify: async (definition) => (await host()).notify(definition),
    join: (from, name) => vscode.Uri.joinPath(vscode.Uri.file(from), name).fsPath,
    pause: (time) => pause(time),
  });
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(folder, pattern),
    false,
    true,
    false,
  );
  watcher.onDidCreate(({ path, fsPath }) => {
    const handling = path.endsWith(".md")
      ? fresh.fileAppeared(fsPath)
      : fresh.folderAppeared(proposals.fsPath);
    handling.catch((error: unknown) => log.error(String(error)));
    onChange();
  });
  watcher.onDidDelete(({ fsPath }) => {
    fresh.fileWent(fsPath);
    onChange();
  });
  return watcher;
}

/** Sets the context key of the command that opens proposals. */
async function hasProposals({ log }: Services): Promise<void> {
  try {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    const names = await Promise.all(
      folders.map(({ uri }) => namesIn(vscode.Uri.joinPath(uri, proposalsFolder).fsPath)),
    );
    const isAny = names.flat().some((name) => name.endsWith(".md"));
    await vscode.commands.executeCommand("setContext", "purser.hasProposals", isAny);
  } catch (error) {
    log.warn(`Proposals are not known: ${String(error)}`);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.file(folder));
    return entries.map(([name]) => name);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return [];
    throw error;
  }
}
