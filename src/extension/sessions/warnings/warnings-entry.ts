import * as vscode from "vscode";
import type { SessionSnapshot } from "../../../engine/sessions/snapshot.ts";
import { readViewSettings, turnWarningsOff } from "../../editor/settings.ts";
import { canHandOver } from "../../handover/links.ts";
import type { Services } from "../../services.ts";
import { SessionNotices, type OpenNotice } from "./warnings-notices.ts";
import { warningsFor, type WarningKind, answerCommand, noticeText } from "./warnings-text.ts";

const { t } = vscode.l10n;
const givenKey = "warningsGiven";
/** Warnings remembered across restarts. */
const maxStored = 300;
/** A session that changed shortly before the window opened still counts as active. Milliseconds. */
const grace = 60_000;

/** Warns the user once per session and threshold, for this window's sessions: in one notification a session. */
export function registerWarnings(services: Services): vscode.Disposable {
  const since = Date.now() - grace;
  const notices = new SessionNotices({
    open: (putAway) => openNotice(t("Close"), putAway),
    setTimer,
  });
  const check = () => {
    const { warnings, warnTurns, colours } = readViewSettings();
    const { sessions, mutes } = services;
    const adviceOf = (session: SessionSnapshot) => sessions.adviceOf(session);
    const warned = warnings ? sessions.live.filter(({ id }) => !mutes.has(id)) : [];
    const reasons = new Map(
      warned.map((session) => [session, warningsFor(session, { warnTurns, since, colours, adviceOf })]),
    );
    notices.keep(new Set([...reasons].filter(([, kinds]) => kinds.length > 0).map(([{ id }]) => id)));
    for (const [session, kinds] of reasons) {
      const [fresh] = notYetGiven(services, session.id, kinds);
      const [kind] = kinds;
      if (kind === undefined) continue;
      const text = noticeText(kind, session, {
        t,
        // Without the advice to wrap up, the session continues.
        canHandOver: kind !== "WRAP_UP" && canHandOver(session),
        namesSession: sessions.live.length > 1,
      });
      if (fresh === undefined) notices.update(session.id, text);
      else {
        services.log.info(`Warned ${fresh} of ${session.id}.`);
        notices.show(session.id, text);
      }
    }
  };
  return vscode.Disposable.from(
    services.sessions.onChange(check),
    services.mutes.onChange(check),
    vscode.commands.registerCommand(answerCommand, async (id: unknown, answer: unknown) => {
      if (typeof id !== "string") return;
      notices.close(id);
      if (answer === "handOver") await vscode.commands.executeCommand("purser.handOverSession", id);
      if (answer === "open") await vscode.commands.executeCommand("purser.showSessions", id);
      if (answer === "mute") await services.mutes.set(id, true);
      if (answer === "never") await turnWarningsOff();
    }),
    notices,
  );
}

function setTimer(act: () => void, ms: number): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

/** Stores the warnings before one is shown, so that a burst of updates cannot show it twice. */
function notYetGiven({ context }: Services, id: string, kinds: readonly WarningKind[]): WarningKind[] {
  const given = context.workspaceState.get<string[]>(givenKey, []);
  const name = (kind: WarningKind) => `${id} ${kind}`;
  const fresh = kinds.filter((kind) => !given.includes(name(kind)));
  if (fresh.length > 0)
    void context.workspaceState.update(givenKey, [...given, ...fresh.map(name)].slice(-maxStored));
  return fresh;
}

/**
 * Opens a notification that code can close, which the editor has only for progress, with a button that closes it.
 * @param label the button's text
 * @param putAway runs when the button is pressed
 */
function openNotice(label: string, putAway: () => void): OpenNotice {
  const messages = new vscode.EventEmitter<string>();
  let latest: string | undefined;
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const options: vscode.ProgressOptions = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
  };
  // The editor accepts a text for the button in place of its own "Cancel", though its types allow only
  // boolean.
  Reflect.set(options, "cancellable", label);
  // The editor begins later than it is called.
  void vscode.window.withProgress(options, async (progress, token) => {
    const pressing = token.onCancellationRequested(putAway);
    // Without an increment the editor would draw an endless animation.
    const say = (message: string) => progress.report({ message, increment: 0 });
    if (latest !== undefined) say(latest);
    const listening = messages.event(say);
    await closed;
    listening.dispose();
    pressing.dispose();
    messages.dispose();
  });
  const say = (message: string) => {
    latest = message;
    messages.fire(message);
  };
  return { say, close: () => close() };
}
