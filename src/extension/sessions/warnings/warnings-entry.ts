import * as vscode from "vscode";
import { readViewSettings, turnWarningsOff } from "../../editor/settings.ts";
import { canHandOver } from "../../handover/links.ts";
import type { Services } from "../../services.ts";
import { adviceNow } from "../status-colours.ts";
import { isWarningDue, warningSentence } from "./warnings-text.ts";
import type { SessionSnapshot } from "../../../engine/sessions/snapshot.ts";
import { t } from "../../../engine/base/language.ts";
const givenKey = "warningsGiven";
/** Warnings remembered across restarts. */
const maxStored = 300;
/** A session that changed shortly before the window opened still counts as active. Milliseconds. */
const grace = 60_000;

/** Warns once per context of each of this window's sessions when its compaction is near. */
export function registerWarnings(services: Services): vscode.Disposable {
  const since = Date.now() - grace;
  const check = () => {
    if (!readViewSettings().warnings) return;
    const { sessions, interruptions, log } = services;
    for (const session of sessions.live) {
      const isDue = isWarningDue(session, since) && !sessions.isQuiet(session);
      if (!isDue || wasGiven(services, session) || !interruptions.take()) continue;
      rememberGiven(services, session);
      log.info(`Warned of the compaction of ${session.id}, advice ${adviceNow(session)}.`);
      void warn(services, session).catch((error: unknown) => log.error(String(error)));
    }
  };
  return vscode.Disposable.from(services.sessions.onChange(check), services.mutes.onChange(check));
}

async function warn({ mutes }: Services, session: SessionSnapshot): Promise<void> {
  const { id } = session;
  const [handOver, open] = [t("Hand Over…"), t("Open Session")];
  const [mute, never] = [t("Mute This Session"), t("Stop These Warnings")];
  const first = canHandOver(session) ? handOver : open;
  const chosen = await vscode.window.showWarningMessage(warningSentence(session, t), first, mute, never);
  if (chosen === handOver) await vscode.commands.executeCommand("purser.handOverSession", id);
  if (chosen === open) await vscode.commands.executeCommand("purser.showSessions", id);
  if (chosen === mute) await mutes.set(id, true);
  if (chosen === never) await turnWarningsOff();
}

/** Identifies a session's context: the next one, after a compaction, may be warned about again. */
function keyOf({ id, compactions }: SessionSnapshot): string {
  return `${id} ${compactions}`;
}

function wasGiven({ context }: Services, session: SessionSnapshot): boolean {
  return context.workspaceState.get<string[]>(givenKey, []).includes(keyOf(session));
}

/** Stored before the warning is shown, so that a burst of updates cannot show it twice. */
function rememberGiven({ context }: Services, session: SessionSnapshot): void {
  const given = context.workspaceState.get<string[]>(givenKey, []);
  void context.workspaceState.update(givenKey, [...given, keyOf(session)].slice(-maxStored));
}
