import * as vscode from "vscode";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import type { Services } from "../services.ts";
import { statusText } from "./status-text.ts";
import { sessionName } from "../editor/describe-editor.ts";
import { offer, inform, openTerminal } from "../editor/notices.ts";
import { t } from "../../engine/base/language.ts";
const maxLabelLength = 80;
const maxPathLength = 160;

export interface PickOptions {
  /** Which sessions the command applies to; all by default. */
  readonly fits?: (session: SessionSnapshot) => boolean;
  /** Message when there is no such session. */
  readonly none?: string;
}

interface SessionItem extends vscode.QuickPickItem {
  readonly session?: SessionSnapshot;
}

/** Asks for a session: this window's live ones come first. */
export async function pickSession(
  { sessions }: Services,
  { fits = () => true, none }: PickOptions,
): Promise<SessionSnapshot | undefined> {
  const live = new Set(sessions.live);
  const here = [...live].filter(fits);
  const others = sessions.all.filter((session) => !live.has(session)).filter(fits);
  if (here.length + others.length === 0) {
    if (sessions.all.length === 0)
      await offer(t("No agent sessions yet. Start one, then try again."), openTerminal, {
        label: t("Open Sample"),
        command: "purser.openSample",
      });
    else await inform(none ?? t("No matching session."));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    [...group(t("Live in this window"), here), ...group(t("Others"), others)],
    { placeHolder: t("Which session?"), matchOnDescription: true, matchOnDetail: true },
  );
  return picked?.session;
}

function group(label: string, sessions: readonly SessionSnapshot[]): SessionItem[] {
  if (sessions.length === 0) return [];
  const items = sessions.map(item);
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function item(session: SessionSnapshot): SessionItem {
  return {
    label: withoutIcons(sessionName(session), maxLabelLength),
    description: statusText(session, { percentOf: "window", now: Date.now(), t }).text,
    detail: withoutIcons(session.cwd ?? "", maxPathLength),
    session,
  };
}
