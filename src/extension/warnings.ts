import * as vscode from "vscode";
import type { SessionSnapshot } from "../engine/context/snapshot.ts";
import type { Services } from "./services.ts";
import { readViewSettings, turnWarningsOff } from "./settings.ts";
import { warningFor, warningSentence, type WarningKind } from "./warning-rules.ts";
import { sessionPlace } from "./words.ts";
import { cleanText } from "../engine/base/text.ts";

const { t } = vscode.l10n;
const givenKey = "warningsGiven";
/** Enough to remember over a restart which warnings were given. */
const mostGiven = 300;
/** A session that changed shortly before the window opened still counts as going on. Milliseconds. */
const grace = 60_000;

/** Tells the user once a session and threshold, for the sessions of this window. */
export function registerWarnings(services: Services): vscode.Disposable {
  const since = Date.now() - grace;
  const check = () => {
    const { warnings, warnTurns } = readViewSettings();
    if (!warnings) return;
    for (const session of services.sessions.live) {
      const kind = warningFor(session, { warnTurns, since });
      if (kind !== undefined && !services.mutes.has(session.id) && notYetGiven(services, session.id, kind))
        void warn(services, session, kind).catch((error: unknown) => services.log.error(String(error)));
    }
  };
  return services.sessions.onChange(check);
}

/** Remembers the warning before it is shown, so that a burst of updates cannot show it twice. */
function notYetGiven({ context }: Services, id: string, kind: WarningKind): boolean {
  const given = context.workspaceState.get<string[]>(givenKey, []);
  const name = `${id} ${kind}`;
  if (given.includes(name)) return false;
  void context.workspaceState.update(givenKey, [...given, name].slice(-mostGiven));
  return true;
}

async function warn(services: Services, session: SessionSnapshot, kind: WarningKind): Promise<void> {
  const open = t("Open");
  const mute = t("Mute for This Session");
  const never = t("Don't Show Again");
  const message = `${warningSentence(kind, session, t)} (${cleanText(sessionPlace(session))})`;
  services.log.info(`Warned ${kind}: ${message}`);
  const answer = await vscode.window.showWarningMessage(message, open, mute, never);
  if (answer === open) await vscode.commands.executeCommand("purser.showSessions", session.id);
  if (answer === mute) await services.mutes.set(session.id, true);
  if (answer === never) await turnWarningsOff();
}
