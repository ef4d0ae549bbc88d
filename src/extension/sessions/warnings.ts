import * as vscode from "vscode";
import type { SessionSnapshot } from "../../engine/context/snapshot.ts";
import { inMessage } from "../editor/outside-text.ts";
import { canHandOver } from "../handover/can-hand-over.ts";
import type { Services } from "../services.ts";
import { readViewSettings, turnWarningsOff } from "../editor/settings.ts";
import { warnedSession, warningSentence, warningsFor, type WarningKind } from "./warning-rules.ts";

const { t } = vscode.l10n;
const givenKey = "warningsGiven";
/** Warnings remembered across restarts. */
const mostGiven = 300;
/** A session that changed shortly before the window opened still counts as active. Milliseconds. */
const grace = 60_000;
const longestName = 100;

/** Warns the user once per session and threshold, for this window's sessions. */
export function registerWarnings(services: Services): vscode.Disposable {
  const since = Date.now() - grace;
  const check = () => {
    const { warnings, warnTurns } = readViewSettings();
    if (!warnings) return;
    for (const session of services.sessions.live) {
      if (services.mutes.has(session.id)) continue;
      const [kind] = notYetGiven(services, session.id, warningsFor(session, { warnTurns, since }));
      if (kind !== undefined)
        void warn(services, session, kind).catch((error: unknown) => services.log.error(String(error)));
    }
  };
  return services.sessions.onChange(check);
}

/** Stores the warnings before one is shown, so that a burst of updates cannot show it twice. */
function notYetGiven({ context }: Services, id: string, kinds: readonly WarningKind[]): WarningKind[] {
  const given = context.workspaceState.get<string[]>(givenKey, []);
  const name = (kind: WarningKind) => `${id} ${kind}`;
  const fresh = kinds.filter((kind) => !given.includes(name(kind)));
  if (fresh.length > 0)
    void context.workspaceState.update(givenKey, [...given, ...fresh.map(name)].slice(-mostGiven));
  return fresh;
}

async function warn(services: Services, session: SessionSnapshot, kind: WarningKind): Promise<void> {
  const handOver = t("Hand Over…");
  const open = t("Open");
  const mute = t("Mute for This Session");
  const never = t("Don't Show Again");
  const message = `${warningSentence(kind, session, t)} (${inMessage(warnedSession(session), longestName)})`;
  services.log.info(`Warned ${kind}: ${message}`);
  // While there is room, the session goes on.
  const offers = kind !== "WRAP_UP" && canHandOver(session) ? [handOver] : [];
  const answer = await vscode.window.showWarningMessage(message, ...offers, open, mute, never);
  if (answer === handOver) await vscode.commands.executeCommand("purser.handOverSession", session.id);
  if (answer === open) await vscode.commands.executeCommand("purser.showSessions", session.id);
  if (answer === mute) await services.mutes.set(session.id, true);
  if (answer === never) await turnWarningsOff();
}
