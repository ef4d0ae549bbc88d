import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { explainFailure } from "./describe-failure.ts";
import { ServiceLink } from "./link.ts";
import { readEnvironment, readWindowSettings } from "../editor/settings.ts";
import { versionIn } from "../../engine/base/manifest-version.ts";
import { userFolderOf } from "./chat-facts.ts";
import { windowFolders } from "../editor/window-folders.ts";

/** Milliseconds. */
const pauses = [200, 400, 800, 1600, 3200, 5000];
const longPause = 30_000;

/** Creates this window's link to the service, not started yet. */
export function newLink(
  { extensionPath, extension, globalStorageUri }: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): ServiceLink {
  return new ServiceLink({
    log,
    pauses,
    longPause,
    explain: (failure) => explainFailure(failure, vscode.l10n.t),
    load: async () => {
      const { serviceAccess } = await import("./service-access.ts");
      return serviceAccess({
        program: path.join(extensionPath, "dist", "service.cjs"),
        version: versionIn(extension.packageJSON),
        userHome: homedir(),
        userFolder: userFolderOf(globalStorageUri),
        pid: process.pid,
        execPath: process.execPath,
        isElectron: process.versions["electron"] !== undefined,
        env: readEnvironment,
        folders: windowFolders,
        // Each installed editor has its own storage path.
        settings: () => readWindowSettings(globalStorageUri.toString()),
        onProblem: (message) => log.warn(message),
      });
    },
  });
}
