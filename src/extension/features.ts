import * as vscode from "vscode";
import path from "node:path";
import { Observable } from "../engine/base/events.ts";
import { registerPanels } from "./panels/panel-entries.ts";
import { type BenchBadge, noBadge } from "./sessions/status-text.ts";
import { registerCommands } from "./commands.ts";
import { registerFormerCommands } from "./former-commands.ts";
import { registerContextKeys } from "./service/context-keys.ts";
import type { GuardRow } from "./guard/guard-feed.ts";
import { registerGuard } from "./guard/guard-entry.ts";
import { registerHandover } from "./handover/handover-entry.ts";
import { ContextFills } from "./sessions/context-fill.ts";
import { HandoverLinks, isHandedOver } from "./handover/links.ts";
import { Offers } from "./handover/last-work-offers.ts";
import { Mutes, WindowSessions } from "./sessions/in-window.ts";
import { registerProposals, registerRent } from "./instructions/instructions-entry.ts";
import { registerReadOnlyTexts } from "./editor/read-only-texts.ts";
import { registerRecurringAgents } from "./economy/agents/economy-agents-entry.ts";
import { registerSample } from "./sample/sample-entry.ts";
import { serviceConnection } from "./service/connection.ts";
import { type Services, Interruptions } from "./services.ts";
import { registerSessionsView } from "./sessions/sessions-view.ts";
import {
  onSettingsChange,
  readViewSettings,
  turnWarningsOff,
  readEnvironment,
  inspectSetting,
  readWindowSettings,
} from "./editor/settings.ts";
import { registerStatusBar } from "./sessions/status-bar.ts";
import { registerWarnings } from "./sessions/warnings/warnings-entry.ts";
import type { Anomaly } from "../engine/ledger/ledger-answers.ts";
import { anomalySentence, warnedSession } from "./sessions/warnings/warnings-text.ts";
import { inMessage } from "./editor/outside-text.ts";
import { homedir } from "node:os";
import { explainFailure, ServiceLink } from "./service/link.ts";
import { versionIn } from "../engine/base/process.ts";
import { movedSettings } from "./service/window-settings.ts";
import { userFolderOf, chatFacts, type OfferedModel } from "./service/chat-facts.ts";
import { windowFolders } from "./editor/window-files.ts";
import { editorFactsFile } from "../engine/transcripts/agents.ts";
import { errorText } from "../engine/base/result.ts";
import { t } from "../engine/base/language.ts";

/** Milliseconds. */
const pauses = [200, 400, 800, 1600, 3200, 5000];
const longPause = 30_000;

/** Creates this window's link to the service, not started yet. */
function newLink(
  { extensionPath, extension, globalStorageUri }: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): ServiceLink {
  return new ServiceLink({
    log,
    pauses,
    longPause,
    explain: (failure) => explainFailure(failure, t),
    load: async () => {
      const { serviceAccess } = await import("./service/service-access.ts");
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
const maxNameLength = 100;

/**
 * Notifies the user of anomalies in this window's sessions: each once across all windows, and each cause once
 * per session. Further costly runs are listed in Usage.
 */
function registerAnomalyNotices(services: Services): vscode.Disposable {
  const shown = new Set<string>();
  return services.service.onChanged("anomalyFound", (anomaly) => {
    if (anomaly === undefined) return;
    const about = `${anomaly.sessionId} ${anomaly.cause}`;
    if (shown.has(about)) return;
    shown.add(about);
    void notify(services, anomaly).catch((error: unknown) => services.log.error(String(error)));
  });
}

async function notify(services: Services, anomaly: Anomaly): Promise<void> {
  const session = services.sessions.find(anomaly.sessionId);
  if (session === undefined || !services.sessions.isHere(session)) return;
  if (!readViewSettings().warnings || services.mutes.has(session.id) || !services.interruptions.take())
    return;
  const claim = await services.service.ask("claimAnomaly", { id: anomaly.id });
  if (!claim.ok || !claim.value.isFirst) return;
  const open = t("Open Session");
  const mute = t("Mute This Session");
  const never = t("Stop These Warnings");
  const message = `${anomalySentence(anomaly, t)} (${inMessage(warnedSession(session), maxNameLength)})`;
  services.log.info(`Notified of ${anomaly.cause}: ${message}`);
  const answer = await vscode.window.showInformationMessage(message, open, mute, never);
  if (answer === open) await vscode.commands.executeCommand("purser.openLedger", session.id);
  if (answer === mute) await services.mutes.set(session.id, true);
  if (answer === never) await turnWarningsOff();
}

/** Parts that live as long as the window. */
export interface Running {
  /** Starts the link to the service, which all features observe. */
  readonly start: () => void;
  /** Resolves when what this window hosts has been written and removed. */
  readonly stop: () => Promise<void>;
}

/** Registers all features, one per file. */
export function registerFeatures(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Running {
  const link = newLink(context, log);
  const mutes = new Mutes(context.globalState);
  const service = serviceConnection(link);
  const handovers = new HandoverLinks(service);
  const sessions = new WindowSessions({
    link,
    memory: context.workspaceState,
    mutes,
    isHandedOver: (session) => isHandedOver(session, handovers.of(session.id)),
  });
  const budgetBadge = new Observable(noBadge);
  const benchBadge = new Observable<BenchBadge | undefined>(undefined);
  const guardRow = new Observable<GuardRow>(null);
  const rulesBadge = new Observable(0);
  const fills = new ContextFills({ service, sessions });
  const offers = new Offers({ service, sessions, handovers });
  const follow: Services["follow"] = (command, ...targets) =>
    void vscode.commands.executeCommand(command, ...targets);
  const interruptions = new Interruptions();
  const services: Services = {
    context,
    log,
    link,
    service,
    sessions,
    mutes,
    interruptions,
    handovers,
    offers,
    follow,
  };
  const sample = registerSample(services);
  const handover = registerHandover(services);
  context.subscriptions.push(
    link,
    sessions,
    mutes,
    handovers,
    offers,
    fills,
    handover,
    budgetBadge,
    benchBadge,
    guardRow,
    registerStatusBar(services, { budgets: budgetBadge, bench: benchBadge, guard: guardRow, fills }),
    registerSessionsView(services, rulesBadge),
    registerWarnings(services),
    registerAnomalyNotices(services),
    registerCommands(services, handover),
    registerFormerCommands(),
    registerContextKeys(services),
    registerReadOnlyTexts(),
    registerChatFacts(services),
    registerPanels(services, { bench: benchBadge, rules: rulesBadge }),
    registerGuard(services, budgetBadge, guardRow),
    rulesBadge,
    registerRent(services),
    registerProposals(services),
    registerRecurringAgents(services),
    sample,
    onSettingsChange(() => {
      link.configure();
      offers.forget();
    }),
  );
  return {
    start: () => {
      copySettings(services);
      link.start();
    },
    stop: async () => {
      await Promise.all([link.stop(), sample.stop()]);
    },
  };
}

const copiedKey = "settings.copied";

/** See `copyMovedSettings`. Its code is loaded where there may be something to copy. */
function copySettings({ context: { globalState }, log }: Services): void {
  const copied = globalState.get<readonly string[]>(copiedKey, []);
  const isLeft = (name: string) =>
    !copied.includes(name) && inspectSetting(name, null)?.globalValue !== undefined;
  if (!Object.values(movedSettings).some(isLeft)) return;
  const copy = async () => {
    const { copyMovedSettings, ownSettingsWriter } = await import("./service/copy-settings.ts");
    await copyMovedSettings({
      inspect: inspectSetting,
      copied,
      remember: (names) => globalState.update(copiedKey, names),
      write: ownSettingsWriter({ env: readEnvironment(), home: homedir() }),
      log: (level, message) => log[level](message),
    });
  };
  copy().catch((error: unknown) => log.error(`Settings were not copied: ${errorText(error)}`));
}

/**
 * Stores facts about chats that only a window knows: its folder and its models' context windows. This
 * extension's storage is beside the chats, so readers find the facts even when the window is closed. Nothing
 * is requested or written before there is a chat.
 */
function registerChatFacts({ context, sessions, log }: Services): vscode.Disposable {
  let written = "";
  let isAsking = false;
  let again = false;
  const storeFacts = async () => {
    const holder = context.storageUri ?? context.globalStorageUri;
    const facts = chatFacts(windowFolders(), await offeredModels());
    const text = `${JSON.stringify(facts, null, 2)}\n`;
    if (holder.scheme !== "file" || text === written) return;
    await vscode.workspace.fs.createDirectory(holder);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(holder, editorFactsFile), Buffer.from(text));
    written = text;
  };
  const update = async () => {
    again = isAsking;
    if (isAsking) return;
    isAsking = true;
    try {
      await storeFacts();
    } catch (error) {
      log.warn(`What this window knows of its chats cannot be stored: ${errorText(error)}`);
    }
    isAsking = false;
    if (again) await update();
  };
  const hasChat = () => sessions.all.some(({ agent }) => agent === "vscode-chat");
  const inCase = () => (hasChat() ? void update() : undefined);
  let wasThere = false;
  return vscode.Disposable.from(
    sessions.onChange(() => {
      if (!wasThere && hasChat()) inCase();
      wasThere = hasChat();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(inCase),
    vscode.lm.onDidChangeChatModels(inCase),
  );
}

async function offeredModels(): Promise<readonly OfferedModel[]> {
  return await vscode.lm.selectChatModels({});
}
