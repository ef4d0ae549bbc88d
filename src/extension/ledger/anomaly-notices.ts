import * as vscode from "vscode";
import type { Anomaly } from "../../engine/ledger/answers.ts";
import { anomalySentence } from "./describe-anomaly.ts";
import { inMessage } from "../editor/outside-text.ts";
import type { Services } from "../services.ts";
import { readViewSettings, turnWarningsOff } from "../editor/settings.ts";
import { warnedSession } from "../sessions/warnings/reasons.ts";

const { t } = vscode.l10n;
const longestName = 100;

/**
 * Notifies the user of anomalies in this window's sessions: each once across all windows, and each cause once per
 * session. A person told that runs are costly finds the others in the Ledger.
 */
export function registerAnomalyNotices(services: Services): vscode.Disposable {
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
  if (!readViewSettings().warnings || services.mutes.has(session.id)) return;
  const claim = await services.service.ask("claimAnomaly", { id: anomaly.id });
  if (!claim.ok || !claim.value.isFirst) return;
  const open = t("Open in Ledger");
  const mute = t("Mute for This Session");
  const never = t("Don't Show Again");
  const message = `${anomalySentence(anomaly, t)} (${inMessage(warnedSession(session), longestName)})`;
  services.log.info(`Told of ${anomaly.cause}: ${message}`);
  const answer = await vscode.window.showInformationMessage(message, open, mute, never);
  if (answer === open) await vscode.commands.executeCommand("purser.openLedger", session.id);
  if (answer === mute) await services.mutes.set(session.id, true);
  if (answer === never) await turnWarningsOff();
}
