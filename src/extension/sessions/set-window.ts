import * as vscode from "vscode";
import type { SessionSnapshot } from "../../engine/context/snapshot.ts";
import { inMessage } from "../editor/outside-text.ts";
import { setModelWindow } from "../editor/settings.ts";
import { tokensFrom } from "../editor/token-input.ts";
import { tell } from "../editor/plain-notice.ts";

const { t } = vscode.l10n;
const longestModel = 60;
const usualWindow = 200_000;

/**
 * Asks for the context window of a session's model and stores it in the settings: the remedy when no catalogue contains
 * it.
 */
export async function askForWindow({ model, window }: SessionSnapshot): Promise<void> {
  if (model === null) {
    await tell(t("This session has no answer of a model yet."));
    return;
  }
  const answer = await vscode.window.showInputBox({
    title: t("Context Window of {0}", inMessage(model, longestModel)),
    prompt: t("In tokens, such as 200k or 1M. It is kept in the setting purser.models."),
    value: String(window.value ?? usualWindow),
    validateInput: (text) =>
      tokensFrom(text) === undefined ? t("Write a number of tokens, such as 200000, 200k or 1M.") : undefined,
  });
  const tokens = answer === undefined ? undefined : tokensFrom(answer);
  if (tokens !== undefined) await setModelWindow(model, tokens);
}
