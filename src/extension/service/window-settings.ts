import type { Settings, WindowSettings } from "../../engine/settings/shape.ts";

/** The editor's names, below `purser.`, for settings that apply to agents, terminals and every window. */
export const settingNames = {
  wrapUpAt: "advice.wrapUpAt",
  endTurnAt: "advice.endTurnAt",
  models: "models",
  warnAgent: "hooks.warnAgent",
  stopGate: "hooks.stopGate",
  budgets: "budgets.mode",
  messages: "messages.approval",
  guardMode: "guard.mode",
  guardFamilies: "guard.families",
  continuityCompaction: "continuity.compaction",
  continuityStart: "continuity.start",
  wakes: "wakes.enabled",
} as const satisfies Readonly<Partial<Record<keyof Settings, string>>>;

/**
 * The editor's earlier names for settings that are now only in `~/.purser/settings.json`. For one more version, a
 * user's values are copied there once, and those of folders still hold. A new setting has no earlier name.
 */
export const movedSettings = {
  liveMinutes: "sessions.liveMinutes",
  compactAtTokens: "compaction.fallbackTokens",
  totalTokensReminder: "hooks.totalTokensReminder",
  warnEveryCalls: "hooks.warnEveryCalls",
  tellCostlyTurns: "hooks.tellCostlyTurns",
  hookPosting: "hooks.posting",
  statusLine: "hooks.statusLine",
  rulesAutoApprove: "rules.autoApprove",
  rulesAutoActivate: "rules.autoActivate",
  rulesAskModel: "rules.askModel",
  guardOutputsBesideHooks: "guard.outputsBesideHooks",
  guardAddLimits: "guard.addLimits",
  continuityPackets: "continuity.packets",
  continuityPacketTokens: "continuity.packetTokens",
  continuityImproveWith: "continuity.improveWith",
  learn: "learn.enabled",
  learnAcrossProjects: "learn.acrossProjects",
  idleMinutes: "service.idleMinutes",
} as const satisfies Readonly<Partial<Record<Exclude<keyof Settings, keyof typeof settingNames>, string>>>;

/** The settings a folder may override. */
export const folderSettings: readonly (keyof Settings)[] = [
  "wrapUpAt",
  "endTurnAt",
  "liveMinutes",
  "compactAtTokens",
  "models",
  "warnAgent",
];

/** A setting's values by scope; `undefined` when not set. */
interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

export interface SettingsContext {
  readonly editor: string;
  /** URI of the workspace file. */
  readonly workspace: string | null;
  readonly folders: readonly string[];
  /** Settings of untrusted folders are ignored. */
  readonly isTrusted: boolean;
  /** @param name below `purser.` */
  readonly inspect: (name: string, folder: string | null) => Inspected | undefined;
}

/** The window's settings, only those that are set: for the others `~/.purser/settings.json` applies. */
export function windowSettings({ inspect, folders, isTrusted, ...about }: SettingsContext): WindowSettings {
  const ofFolder = (folder: string) =>
    setAmong(folderSettings, (name) => {
      const { workspaceFolderValue, workspaceValue } = inspect(name, folder) ?? {};
      return workspaceFolderValue === undefined ? workspaceValue : workspaceFolderValue;
    });
  return {
    ...about,
    isTrusted,
    user: userSettings(inspect),
    folders: folders.map((path) => ({ path, settings: isTrusted ? ofFolder(path) : {} })),
  };
}

function userSettings(inspect: SettingsContext["inspect"]): Record<string, unknown> {
  return setAmong(Object.keys(settingNames), (name) => inspect(name, null)?.globalValue);
}

function setAmong(keys: readonly string[], valueOf: (name: string) => unknown): Record<string, unknown> {
  const names: Readonly<Record<string, string>> = { ...settingNames, ...movedSettings };
  return Object.fromEntries(
    keys.flatMap((key) => {
      const name = names[key];
      const value = name === undefined ? undefined : valueOf(name);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}
