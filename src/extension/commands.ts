import * as vscode from "vscode";
import { cleanText } from "../engine/base/text.ts";
import type { SessionSnapshot } from "../engine/context/snapshot.ts";
import { resumeCommand } from "./resume-command.ts";
import type { Services } from "./services.ts";
import type { TreeNode } from "./sessions-tree.ts";
import { statusText } from "./status-text.ts";
import { sessionPlace } from "./words.ts";

const { t } = vscode.l10n;

/** The commands that act on one session: from a context menu, a tooltip's link, or the palette, which asks which one. */
export function registerCommands(services: Services): vscode.Disposable {
  const { sessions, mutes, monitor, log } = services;
  const onSession = (command: string, act: (session: SessionSnapshot) => Thenable<unknown>) =>
    vscode.commands.registerCommand(command, async (target?: unknown) => {
      const session = chosen(services, target) ?? (await pickSession(services));
      if (session !== undefined) await act(session);
    });
  return vscode.Disposable.from(
    onSession("purser.openTranscript", openTranscript),
    onSession("purser.copyResumeCommand", copyResumeCommand),
    onSession("purser.pinSession", ({ id }) => sessions.pin(id)),
    onSession("purser.muteSession", ({ id }) => mutes.set(id, true)),
    onSession("purser.unmuteSession", ({ id }) => mutes.set(id, false)),
    vscode.commands.registerCommand("purser.unpinSession", () => sessions.pin(undefined)),
    vscode.commands.registerCommand("purser.showLog", () => log.show()),
    vscode.commands.registerCommand("purser.showProblems", () => showProblems(services)),
    vscode.commands.registerCommand("purser.restart", () => monitor.retry()),
    vscode.commands.registerCommand("purser.openSettings", () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "@ext:context-purser.context-purser"),
    ),
    vscode.commands.registerCommand("purser.openWalkthrough", () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        "context-purser.context-purser#purser.start",
      ),
    ),
  );
}

function chosen({ sessions }: Services, target: unknown): SessionSnapshot | undefined {
  if (typeof target === "string") return sessions.find(target);
  return isNode(target) && target.kind !== "project" ? target.session : undefined;
}

/** The view hands its own nodes to the commands of its menus. */
function isNode(target: unknown): target is TreeNode {
  return typeof target === "object" && target !== null && "kind" in target;
}

async function pickSession({ sessions }: Services): Promise<SessionSnapshot | undefined> {
  const all = [...sessions.live, ...sessions.all.filter((session) => !sessions.live.includes(session))];
  if (all.length === 0) {
    await vscode.window.showInformationMessage(
      t("There is no agent session yet. Start one, then try again."),
    );
    return undefined;
  }
  const items = all.map((session) => ({
    label: cleanText(session.title ?? sessionPlace(session)),
    description: statusText(session, { percentOf: "window", now: Date.now(), t }).text,
    detail: cleanText(session.cwd ?? ""),
    session,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: t("Which session?"),
    matchOnDetail: true,
  });
  return picked?.session;
}

async function openTranscript({ transcript }: SessionSnapshot): Promise<void> {
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(transcript));
    await vscode.window.showTextDocument(document, { preview: true });
  } catch {
    // Too large for an editor, or gone: the folder is the next best place.
    await vscode.commands.executeCommand("revealFileInOS", vscode.Uri.file(transcript));
  }
}

async function copyResumeCommand(session: SessionSnapshot): Promise<void> {
  const command = resumeCommand(session, process.platform);
  await vscode.env.clipboard.writeText(command);
  vscode.window.setStatusBarMessage(t("Copied: {0}", command), 3000);
}

async function showProblems({ monitor, log }: Services): Promise<void> {
  const { state } = monitor;
  const problems = state.kind === "ready" ? state.snapshot.problems : [];
  for (const { path, reason } of problems) log.warn(`${path}: ${reason}`);
  const message =
    state.kind === "failed"
      ? t("Reading transcripts stopped: {0}", firstLine(state.reason))
      : problems.length > 0
        ? t("{0} could not be read: {1}", cleanText(problems[0]?.path ?? ""), problems[0]?.reason ?? "")
        : t("Nothing is wrong.");
  const retry = t("Try Again");
  const showLog = t("Show Log");
  const answer = await vscode.window.showWarningMessage(message, retry, showLog);
  if (answer === retry) monitor.retry();
  if (answer === showLog) log.show();
}

function firstLine(text: string): string {
  return cleanText(text.split("\n", 1)[0] ?? "");
}
