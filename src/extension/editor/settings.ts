import * as vscode from "vscode";
import type { WindowSettings } from "../../engine/settings/editor-window.ts";
import { toldSettings, userSettings } from "../service/told-settings.ts";
import { windowFolders } from "./window-folders.ts";

const section = "purser";

/** What the user may set about how things are shown; what holds beyond the window is in `told-settings.ts`. */
export interface ViewSettings {
  readonly percentOf: "window" | "compaction";
  readonly warnings: boolean;
  /** Warn when automatic compaction is this many turns away; 0 never does. */
  readonly warnTurns: number;
  /** Ask whether messages between agents may be sent. */
  readonly messages: boolean;
}

/**
 * What the window's user has set that holds beyond the window, as it was written: the service checks it at its door.
 *
 * @param editor what tells this editor from others of the same user
 */
export function readWindowSettings(editor: string): WindowSettings {
  const { workspaceFile, isTrusted } = vscode.workspace;
  const workspace = workspaceFile === undefined ? null : workspaceFile.toString();
  return plain(toldSettings({ editor, workspace, folders: windowFolders(), isTrusted, inspect }));
}

/** What the user has set for all folders, by the service's names. */
export function readUserSettings(): Record<string, unknown> {
  return userSettings(inspect);
}

function inspect(name: string, folder: string | null) {
  const place = folder === null ? null : vscode.Uri.file(folder);
  return vscode.workspace.getConfiguration(section, place).inspect<unknown>(name);
}

/** The editor hands objects out behind proxies, which cannot cross to another thread; JSON has a plain copy of all there is. */
function plain({ user, folders, ...whose }: WindowSettings): WindowSettings {
  const copied = (settings: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(settings).map(([key, value]): [string, unknown] => [
        key,
        JSON.parse(JSON.stringify(value)),
      ]),
    );
  return {
    ...whose,
    user: copied(user),
    folders: folders.map(({ path, settings }) => ({ path, settings: copied(settings) })),
  };
}

export function readViewSettings(): ViewSettings {
  const settings = vscode.workspace.getConfiguration(section);
  return {
    percentOf: settings.get("statusBar.percentOf") === "compaction" ? "compaction" : "window",
    warnings: settings.get<boolean>("warnings.enabled", true),
    warnTurns: settings.get<number>("warnings.turnsBeforeCompaction", 3),
    messages: settings.get("messages.approval") !== "off",
  };
}

/**
 * The environment the engine looks for transcripts in and a service is started with. The user's own folder list stands in
 * for the agent's variable, and the user's minutes for the service's.
 */
export function readEnvironment(): Record<string, string | undefined> {
  const settings = vscode.workspace.getConfiguration(section);
  const folders = settings.get<string>("claude.configDir", "").trim();
  const minutes = settings.inspect<number>("service.idleMinutes")?.globalValue;
  return {
    ...process.env,
    ...(folders === "" ? {} : { CLAUDE_CONFIG_DIR: folders }),
    ...(minutes === undefined ? {} : { PURSER_IDLE_MINUTES: String(minutes) }),
  };
}

/** For good: also where the workspace has its own word on it. */
export async function turnWarningsOff(): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const settings = vscode.workspace.getConfiguration(section);
  await settings.update("warnings.enabled", false, Global);
  if (settings.inspect<boolean>("warnings.enabled")?.workspaceValue === true)
    await settings.update("warnings.enabled", false, Workspace);
}

/** Keeps what else the user set for this model and for others. @param tokens its context window */
export async function setModelWindow(model: string, tokens: number): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  const held = settings.inspect<Record<string, object>>("models")?.globalValue ?? {};
  const models = { ...held, [model]: { ...held[model], window: tokens } };
  await settings.update("models", models, vscode.ConfigurationTarget.Global);
}

export function onSettingsChange(onChange: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) onChange();
    }),
    // Folders bring settings of their own, once they are trusted.
    vscode.workspace.onDidChangeWorkspaceFolders(() => onChange()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => onChange()),
  );
}
