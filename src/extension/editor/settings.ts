import * as vscode from "vscode";
import type { WindowSettings } from "../../engine/settings/shape.ts";
import { windowSettings } from "../service/window-settings.ts";
import type { FamilyMode, GuardFamily } from "../../engine/settings/guard.ts";
import { windowFolders } from "./window-files.ts";
import { parseJson } from "../../engine/base/parse.ts";

const section = "purser";

/** View settings of the user; settings that apply beyond the window are in `window-settings.ts`. */
export interface ViewSettings {
  readonly percentOf: "window" | "compaction";
  readonly cacheClock: boolean;
  readonly warnings: boolean;
  /** Ask before messages between agents are sent. */
  readonly messages: boolean;
}

/**
 * The user's settings that apply beyond the window, unchecked: the service validates them.
 *
 * @param editor identifies this editor among others of the same user
 */
export function readWindowSettings(editor: string): WindowSettings {
  const { workspaceFile, isTrusted } = vscode.workspace;
  const workspace = workspaceFile === undefined ? null : workspaceFile.toString();
  return plain(
    windowSettings({ editor, workspace, folders: windowFolders(), isTrusted, inspect: inspectSetting }),
  );
}

export function inspectSetting(name: string, folder: string | null) {
  const uri = folder === null ? null : vscode.Uri.file(folder);
  return vscode.workspace.getConfiguration(section, uri).inspect<unknown>(name);
}

/** Copies settings through JSON: the editor returns proxies, which cannot be sent to another thread. */
function plain({ user, folders, ...about }: WindowSettings): WindowSettings {
  const copied = (settings: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(settings).map(([key, value]): [string, unknown] => [
        key,
        parseJson(JSON.stringify(value)),
      ]),
    );
  return {
    ...about,
    user: copied(user),
    folders: folders.map(({ path, settings }) => ({ path, settings: copied(settings) })),
  };
}

export function readViewSettings(): ViewSettings {
  const settings = vscode.workspace.getConfiguration(section);
  return {
    percentOf: settings.get("statusBar.percentOf") === "compaction" ? "compaction" : "window",
    cacheClock: settings.get<boolean>("statusBar.cacheClock", false),
    warnings: settings.get<boolean>("warnings.enabled", true),
    messages: settings.get("messages.approval") !== "off",
  };
}

/**
 * The environment in which the engine finds transcripts and a service is started. The user's folder list replaces the agent's
 * variable.
 */
export function readEnvironment(): Record<string, string | undefined> {
  const settings = vscode.workspace.getConfiguration(section);
  const folders = settings.get<string>("claude.configDir", "").trim();
  return {
    ...process.env,
    ...(folders === "" ? {} : { CLAUDE_CONFIG_DIR: folders }),
  };
}

/** Turns warnings off permanently, also in a workspace that sets its own value. */
export async function turnWarningsOff(): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const settings = vscode.workspace.getConfiguration(section);
  await settings.update("warnings.enabled", false, Global);
  if (settings.inspect<boolean>("warnings.enabled")?.workspaceValue === true)
    await settings.update("warnings.enabled", false, Workspace);
}

/** Keeps the user's other settings for this and other models. @param tokens the model's context window */
export async function setModelWindow(model: string, tokens: number): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  const held = settings.inspect<Record<string, object>>("models")?.globalValue ?? {};
  const models = { ...held, [model]: { ...held[model], window: tokens } };
  await settings.update("models", models, vscode.ConfigurationTarget.Global);
}

/**
 * Sets the mode of all guard rules, or of a family. Keeps the current modes of the other families from any
 * source: the editor's settings override all others as a whole.
 */
export async function setGuardMode({
  family,
  mode,
  held,
}: {
  readonly family: GuardFamily | null;
  readonly mode: FamilyMode | null;
  readonly held: { readonly families: Readonly<Partial<Record<GuardFamily, FamilyMode>>> };
}): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  const { Global } = vscode.ConfigurationTarget;
  if (family === null) {
    await settings.update("guard.mode", mode ?? undefined, Global);
    return;
  }
  const others = Object.entries(held.families).filter(([name]) => name !== family);
  const families = Object.fromEntries(mode === null ? others : [...others, [family, mode]]);
  await settings.update("guard.families", families, Global);
}

export function onSettingsChange(onChange: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) onChange();
    }),
    // Folders bring their own settings, once trusted.
    vscode.workspace.onDidChangeWorkspaceFolders(() => onChange()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => onChange()),
  );
}

/**
 * Opens the page where the settings can be changed. Most are machine settings, which a remote window has on a
 * separate page.
 */
export async function openSettings(query: string): Promise<void> {
  const isRemote = vscode.env.remoteName !== undefined;
  const command = isRemote ? "workbench.action.openRemoteSettings" : "workbench.action.openSettings";
  await vscode.commands.executeCommand(command, { query });
}
