import * as vscode from "vscode";

const section = "purser";

/** What the user may set about how things are shown; what the engine needs is in `ContextSettings`. */
export interface ViewSettings {
  readonly percentOf: "window" | "compaction";
  readonly warnings: boolean;
  /** Warn when automatic compaction is this many turns away; 0 never does. */
  readonly warnTurns: number;
  /** Ask whether messages between agents may be sent. */
  readonly messages: boolean;
}

/** What the user set that the engine needs, as it was written: the engine checks it at its door. */
export function readContextSettings(): unknown {
  const settings = vscode.workspace.getConfiguration(section);
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return plain({
    ...readThresholds(settings),
    folders: folders.map(({ uri }) => ({
      path: uri.fsPath,
      ...readThresholds(vscode.workspace.getConfiguration(section, uri)),
    })),
    liveMinutes: settings.get("sessions.liveMinutes"),
    compactAtTokens: settings.get("compaction.fallbackTokens"),
    models: settings.get("models"),
  });
}

/** The editor hands objects out behind proxies, which cannot cross to another thread; JSON has a plain copy of all there is. */
function plain(settings: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(JSON.stringify(settings));
}

function readThresholds(settings: vscode.WorkspaceConfiguration) {
  return { wrapUpAt: settings.get("advice.wrapUpAt"), endTurnAt: settings.get("advice.endTurnAt") };
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

/** The service's names of what the user may set of hooks and rules, and the editor's. */
const guardSettings = {
  budgets: "budgets.mode",
  messages: "messages.approval",
  stopGate: "hooks.stopGate",
  totalTokensReminder: "hooks.totalTokensReminder",
  warnEveryCalls: "hooks.warnEveryCalls",
  hookPosting: "hooks.posting",
  statusLine: "hooks.statusLine",
  rulesAutoApprove: "rules.autoApprove",
  rulesAutoActivate: "rules.autoActivate",
  rulesAskModel: "rules.askModel",
};

/** What the user set of hooks and rules, and only that: the rest is as `~/.purser/settings.json` says, which agents without a window go by. */
export function readGuardSettings(): Record<string, unknown> {
  const settings = vscode.workspace.getConfiguration(section);
  const told = Object.entries(guardSettings).flatMap(([name, setting]) => {
    const value: unknown = settings.inspect(setting)?.globalValue;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(told);
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
    // Folders bring settings of their own.
    vscode.workspace.onDidChangeWorkspaceFolders(() => onChange()),
  );
}
