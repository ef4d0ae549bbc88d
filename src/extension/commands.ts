import * as vscode from "vscode";
import { agentNames, agentOf } from "../engine/transcripts/agents.ts";
import type { SessionSnapshot } from "../engine/sessions/snapshot.ts";
import type { Handover } from "./handover/handover-entry.ts";
import { canHandOver } from "./handover/links.ts";
import { versionIn } from "../engine/base/process.ts";
import { logSummary } from "./service/log-summary.ts";
import { openTranscript } from "./sessions/open-transcript.ts";
import { runInTerminal, terminalOf } from "./editor/purser-terminal.ts";
import { openSettings } from "./editor/settings.ts";
import { withoutIcons } from "./editor/outside-text.ts";
import { pickSession, type PickOptions } from "./sessions/pick-sessions.ts";
import { showPlaces, showProblems } from "./sessions/sessions-problems.ts";
import { resumeCommand } from "./sessions/reopen-session.ts";
import type { Services } from "./services.ts";
import { isTreeNode } from "./sessions/sessions-tree.ts";
import { askForWindow, pickModel } from "./sessions/set-window.ts";
import { inform } from "./editor/notices.ts";
import { t } from "../engine/base/language.ts";
const maxCopiedLength = 60;
/** Milliseconds. */
const [copiedShown, readShown] = [3000, 5000];

/**
 * Registers commands that act on one session. A context menu or a tooltip's link names it; the palette asks
 * for it.
 */
export function registerCommands(
  services: Services,
  { handOver }: Pick<Handover, "handOver">,
): vscode.Disposable {
  const { sessions, mutes, log } = services;
  const onSession = (
    command: string,
    act: (session: SessionSnapshot) => Thenable<unknown>,
    options: PickOptions = {},
  ) =>
    vscode.commands.registerCommand(command, async (target?: unknown) => {
      const session = chosen(services, target) ?? (await pickSession(services, options));
      if (session !== undefined) await act(session);
    });
  return vscode.Disposable.from(
    vscode.commands.registerCommand("purser.openTranscript", async (target?: unknown) => {
      const transcript = transcriptOf(target) ?? chosen(services, target)?.transcript;
      const file = transcript ?? (await pickSession(services, {}))?.transcript;
      if (file !== undefined) await openTranscript(file);
    }),
    onSession("purser.copyResumeCommand", copyResumeCommand, {
      fits: ({ agent }) => agentOf(agent).resume !== null,
      none: t("No session can be resumed in a terminal."),
    }),
    onSession("purser.handOverSession", handOver, {
      fits: canHandOver,
      none: t("No session has a transcript that could be handed over."),
    }),
    vscode.commands.registerCommand("purser.setModelWindow", async (target?: unknown) => {
      const session = chosen(services, target) ?? (await pickModel(sessions.all));
      if (session !== undefined) await askForWindow(session);
    }),
    onSession("purser.pinSession", ({ id }) => sessions.pin(id), {
      fits: ({ id }) => id !== sessions.pinned,
    }),
    onSession("purser.muteSession", ({ id }) => mutes.set(id, true), {
      fits: ({ id }) => !mutes.has(id),
      none: t("Every session is muted."),
    }),
    onSession("purser.unmuteSession", ({ id }) => mutes.set(id, false), {
      fits: ({ id }) => mutes.has(id),
      none: t("No session is muted."),
    }),
    vscode.commands.registerCommand("purser.unpinSession", () => sessions.pin(undefined)),
    vscode.commands.registerCommand("purser.showLog", () => {
      writeSummary(services);
      log.show();
    }),
    summaryOnceReady(services),
    vscode.commands.registerCommand("purser.showProblems", () => showProblems(services)),
    vscode.commands.registerCommand("purser.showPlaces", () => showPlaces(services)),
    vscode.commands.registerCommand("purser.restart", () => readAgain(services)),
    vscode.commands.registerCommand("purser.watchInTerminal", () => watchInTerminal(services)),
    vscode.commands.registerCommand("purser.openSettings", () =>
      openSettings("@ext:context-purser.context-purser"),
    ),
    vscode.commands.registerCommand("purser.openWalkthrough", () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        "context-purser.context-purser#purser.start",
      ),
    ),
  );
}

/** Shows the same figures in a terminal. One that still runs the program is shown instead of another one. */
function watchInTerminal({ context }: Services): void {
  const task = { words: ["status", "--watch"], name: "purser", icon: "dashboard", isHeldOpen: false };
  const running = terminalOf(task);
  if (running === undefined) runInTerminal(task, context);
  else running.show();
}

/** Writes to the log what this window works with. */
function writeSummary({ context, link, sessions, log }: Services): void {
  const { client, state } = link;
  const lines = logSummary({
    version: versionIn(context.extension.packageJSON),
    editor: vscode.version,
    service: client === undefined ? null : { version: client.version, pid: client.pid },
    snapshot: state.kind === "ready" ? state.snapshot : null,
    liveHere: sessions.live.length,
  });
  for (const line of lines) log.info(line);
}

/** Writes the summary when everything present at the start has been read, once. */
function summaryOnceReady(services: Services): vscode.Disposable {
  const listening = services.link.onChange((state) => {
    if (state.kind !== "ready" || !state.snapshot.complete) return;
    listening.dispose();
    writeSummary(services);
  });
  return listening;
}

/** Reads all transcripts again, and confirms it in the status bar. */
async function readAgain({ link, sessions }: Services): Promise<void> {
  const title = t("Reading transcripts…");
  await vscode.window.withProgress({ location: { viewId: "purser.sessions" } }, () =>
    vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => link.retry()),
  );
  const count = sessions.all.length;
  if (link.state.kind === "ready")
    vscode.window.setStatusBarMessage(
      `$(check) ${count === 1 ? t("Read 1 session") : t("Read {0} sessions", count)}`,
      readShown,
    );
}

function chosen({ sessions }: Services, target: unknown): SessionSnapshot | undefined {
  if (typeof target === "string") return sessions.find(target);
  return isTreeNode(target) && target.kind !== "project" ? target.session : undefined;
}

/** A subagent has a separate transcript. */
function transcriptOf(target: unknown): string | undefined {
  return isTreeNode(target) && target.kind === "subagent"
    ? (target.subagent.transcript ?? undefined)
    : undefined;
}

async function copyResumeCommand(session: SessionSnapshot): Promise<void> {
  const command = resumeCommand(session, process.platform);
  if (command === undefined) {
    const agent = agentNames.of(session.agent);
    await inform(t("A terminal cannot resume a session of {0}.", agent));
    return;
  }
  await vscode.env.clipboard.writeText(command);
  vscode.window.setStatusBarMessage(t("Copied: {0}", withoutIcons(command, maxCopiedLength)), copiedShown);
}
