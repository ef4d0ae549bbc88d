import type { Settings } from "../../engine/settings/shape.ts";
import type { WindowSettings } from "../../engine/settings/editor-window.ts";

/** The editor's names, below `purser.`, of what holds for agents, in terminals and in every window. */
export const settingNames: Readonly<Record<keyof Settings, string>> = {
  wrapUpAt: "advice.wrapUpAt",
  endTurnAt: "advice.endTurnAt",
  liveMinutes: "sessions.liveMinutes",
  compactAtTokens: "compaction.fallbackTokens",
  models: "models",
  warnAgent: "hooks.warnAgent",
  stopGate: "hooks.stopGate",
  sumUpBelow: "hooks.sumUpBelow",
  totalTokensReminder: "hooks.totalTokensReminder",
  warnEveryCalls: "hooks.warnEveryCalls",
  tellCostlyTurns: "hooks.tellCostlyTurns",
  hookPosting: "hooks.posting",
  budgets: "budgets.mode",
  messages: "messages.approval",
  rulesAutoApprove: "rules.autoApprove",
  rulesAutoActivate: "rules.autoActivate",
  rulesAskModel: "rules.askModel",
  statusLine: "hooks.statusLine",
};

/** Those that a folder may have of its own. */
export const folderSettings: readonly (keyof Settings)[] = [
  "wrapUpAt",
  "endTurnAt",
  "liveMinutes",
  "compactAtTokens",
  "models",
  "warnAgent",
];

/** What was set of a setting, and where; `undefined` where it was not. */
interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

export interface SettingsWorld {
  readonly editor: string;
  /** The workspace file. */
  readonly workspace: string | null;
  readonly folders: readonly string[];
  /** What is set in folders that nobody trusts holds for nobody. */
  readonly isTrusted: boolean;
  /** @param name below `purser.` */
  readonly inspect: (name: string, folder: string | null) => Inspected | undefined;
}

/** What the window's user has set, and only that: what nobody set is as `~/.purser/settings.json` says. */
export function toldSettings({ inspect, folders, isTrusted, ...whose }: SettingsWorld): WindowSettings {
  const ofFolder = (folder: string) =>
    setAmong(folderSettings, (name) => {
      const { workspaceFolderValue, workspaceValue } = inspect(name, folder) ?? {};
      return workspaceFolderValue === undefined ? workspaceValue : workspaceFolderValue;
    });
  return {
    ...whose,
    user: userSettings(inspect),
    folders: folders.map((path) => ({ path, settings: isTrusted ? ofFolder(path) : {} })),
  };
}

export function userSettings(inspect: SettingsWorld["inspect"]): Record<string, unknown> {
  return setAmong(Object.keys(settingNames), (name) => inspect(name, null)?.globalValue);
}

function setAmong(keys: readonly string[], valueOf: (name: string) => unknown): Record<string, unknown> {
  const names: Readonly<Record<string, string>> = settingNames;
  return Object.fromEntries(
    keys.flatMap((key) => {
      const name = names[key];
      const value = name === undefined ? undefined : valueOf(name);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}
