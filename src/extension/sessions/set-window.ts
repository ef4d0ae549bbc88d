import * as vscode from "vscode";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { pickOne } from "../editor/pick.ts";
import { inMessage, withoutIcons } from "../editor/outside-text.ts";
import { setModelWindow } from "../editor/settings.ts";
import { tokensFrom } from "../editor/describe-editor.ts";
import { offer, inform, openTerminal } from "../editor/notices.ts";
import { t } from "../../engine/base/language.ts";
const maxModelLength = 60;
const usualWindow = 200_000;

interface ModelItem extends vscode.QuickPickItem {
  readonly session: SessionSnapshot;
}

/** Whether the session's model is in no catalogue: its window is unknown, or assumed. */
export function hasUnknownWindow({ model, window }: Pick<SessionSnapshot, "model" | "window">): boolean {
  return model !== null && (window.value === null || window.isAssumed === true);
}

/**
 * Asks for a model: one of those with an unknown or assumed window, or any if all are known. A single one is
 * returned without a question.
 * @param sessions most recently active first
 */
export async function pickModel(sessions: readonly SessionSnapshot[]): Promise<SessionSnapshot | undefined> {
  const models = [...new Map(sessions.toReversed().map((each) => [each.model, each])).values()].toReversed();
  const named = models.filter(({ model }) => model !== null);
  const unknown = named.filter(hasUnknownWindow);
  const offered = unknown.length > 0 ? unknown : named;
  const [first] = offered;
  if (first === undefined) {
    await offer(t("No session has a model response yet. Start one, then try again."), openTerminal);
    return undefined;
  }
  if (unknown.length === 1) return first;
  const items = offered.map((session): ModelItem => ({
    label: withoutIcons(session.model ?? "", maxModelLength),
    description:
      session.window.value === null
        ? t("window unknown")
        : t("{0} tokens", wholeNumber(session.window.value)),
    session,
  }));
  const picked = await pickOne({
    title: t("Set Context Window of Model"),
    placeholder: t("Which model?"),
    items,
  });
  return picked?.session;
}

/**
 * Asks for the context window of a session's model and stores it in the settings: the remedy when no catalogue contains
 * it.
 */
export async function askForWindow({
  model,
  window,
}: Pick<SessionSnapshot, "model" | "window">): Promise<void> {
  if (model === null) {
    await inform(t("This session has no model response yet."));
    return;
  }
  const answer = await vscode.window.showInputBox({
    title: t("Context Window of {0}", inMessage(model, maxModelLength)),
    prompt: t("In tokens, such as 200k or 1M. Saved in the setting purser.models."),
    value: String(window.value ?? usualWindow),
    validateInput: (text) =>
      tokensFrom(text) === undefined ? t("Enter a number of tokens, such as 200000, 200k or 1M.") : undefined,
  });
  const tokens = answer === undefined ? undefined : tokensFrom(answer);
  if (tokens !== undefined) await setModelWindow(model, tokens);
}
