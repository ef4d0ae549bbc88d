import * as vscode from "vscode";
import { isRentFile } from "./instructions-files.ts";
import { rentCommands } from "../editor/lazy-commands.ts";
import { registerLazyCommands } from "../editor/lazy-host.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { Services } from "../services.ts";
import { setTimeout as pause } from "node:timers/promises";
import path from "node:path";
import { forEachFolder, windowFolders } from "../editor/window-files.ts";
import { NewProposals } from "./new-proposals.ts";
import type { ProposalHost } from "./proposal-host.ts";

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

/** The folder in which `purser shorten-prompt` writes a better prompt, below a folder of the window. */
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
  const watchers = forEachFolder((folder) => watchFolder(folder, { services, host, onChange: setKey }));
  const setKey = () => void hasProposals(services);
  watchers.update();
  setKey();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      watchers.update();
      setKey();
    }),
    vscode.commands.registerCommand("purser.openProposal", async () => (await host()).open()),
    watchers,
  );
}

function watchFolder(
  folder: string,
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
  const proposals = path.join(folder, proposalsFolder);
  const fresh = new NewProposals({
    list: namesIn,
    notify: async (definition) => (await host()).notify(definition),
    join: (parent, name) => path.join(parent, name),
    pause,
  });
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(vscode.Uri.file(folder), pattern),
    false,
    true,
    false,
  );
  watcher.onDidCreate(({ fsPath }) => {
    const handling = fsPath.endsWith(".md") ? fresh.fileAppeared(fsPath) : fresh.folderAppeared(proposals);
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
    const names = await Promise.all(
      windowFolders().map((folder) => namesIn(path.join(folder, proposalsFolder))),
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
