import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { Debounce } from "../../../engine/base/timing.ts";
import { definitionsFolder, projectOf } from "../../../engine/recurring/agents.ts";
import { recurringCommands } from "../../editor/lazy-commands.ts";
import { registerLazyCommands } from "../../editor/lazy-host.ts";
import { LazyPart } from "../../editor/lazy-part.ts";
import { forEachFolder, windowFolders } from "../../editor/window-files.ts";
import type { Services } from "../../services.ts";

/** Files may come and go many at a time, as when a branch is checked out. Milliseconds. */
const patience = { quiet: 200, most: 2000 };

/**
 * Registers the Recurring Agents view and its commands. Sets `purser.hasAgentsFolder`, with which the view is shown, and loads its code
 * once a folder of the window has agents, or on first use of a command.
 */
export function registerRecurringAgents(services: Services): vscode.Disposable {
  const host = new LazyPart(async () => {
    const { RecurringHost } = await import("./economy-agents-host.ts");
    return new RecurringHost(services, () => look());
  });
  let known: boolean | undefined;
  const look = () => {
    const hasAgents = windowFolders().some((folder) => existsSync(definitionsFolder(projectOf(folder))));
    if (hasAgents === known) return;
    known = hasAgents;
    void vscode.commands.executeCommand("setContext", "purser.hasAgentsFolder", hasAgents);
    if (hasAgents) host.get().catch((error: unknown) => services.log.error(String(error)));
  };
  const soon = new Debounce(patience, look);
  const watchers = forEachFolder((folder) => watch(folder, soon));
  const follow = () => {
    watchers.update();
    soon.ask();
  };
  // Activation is over before any file is looked at.
  const first = setImmediate(follow);
  return vscode.Disposable.from(
    { dispose: () => clearImmediate(first) },
    vscode.workspace.onDidChangeWorkspaceFolders(follow),
    registerLazyCommands(host, recurringCommands),
    soon,
    watchers,
    host,
  );
}

/** When a whole folder is removed, the editor reports only the folder. */
function watch(folder: string, soon: Debounce): vscode.Disposable {
  const pattern = new vscode.RelativePattern(
    vscode.Uri.file(folder),
    "{.purser,.purser/agents,.purser/agents/*}",
  );
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, false);
  const ask = () => soon.ask();
  return vscode.Disposable.from(watcher, watcher.onDidCreate(ask), watcher.onDidDelete(ask));
}
