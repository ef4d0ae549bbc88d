import * as vscode from "vscode";
import { cleanText } from "../../engine/base/text.ts";
import type { MessageQuestion, MessageSettlement } from "../../engine/hooks/message-requests.ts";
import { AskedMessages, messageLine, messageQuestion, restOf } from "./message-questions.ts";
import type { ServiceConnection } from "../service/connection.ts";
import { onSettingsChange, readViewSettings } from "../editor/settings.ts";
import { windowFolders } from "../editor/window-files.ts";
import { inform } from "../editor/notices.ts";
import { t } from "../../engine/base/language.ts";

type Outcome = MessageSettlement["outcome"];

interface Needs {
  readonly service: ServiceConnection;
  readonly log: Pick<vscode.LogOutputChannel, "warn" | "error">;
}

/** Asks the user whether a message between agents may be sent, for agents working in this window's folders. */
export function registerMessages({ service, log }: Needs): vscode.Disposable {
  const settled = new Map<string, Outcome>();
  const asked = new AskedMessages();
  const follow = async () => {
    const folders = readViewSettings().messages ? windowFolders() : [];
    const done = await service.ask("messagesFollow", { folders });
    if (!done.ok && done.reason === "failed")
      log.warn(`Messages between agents are not shown: ${done.detail.text}`);
  };
  const listeners = vscode.Disposable.from(
    service.onChanged("messageSettled", (settlement) => {
      if (settlement !== undefined) settled.set(settlement.id, settlement.outcome);
    }),
    service.onChanged("messageAsked", (question) => {
      if (question === undefined) void follow();
      else if (asked.isNew(question))
        void ask(service, question, settled).catch((error: unknown) => log.error(String(error)));
    }),
  );
  void follow();
  return vscode.Disposable.from(
    listeners,
    onSettingsChange(() => void follow()),
  );
}

async function ask(
  service: ServiceConnection,
  question: MessageQuestion,
  settled: Map<string, Outcome>,
): Promise<void> {
  const { id, answerUntil } = question;
  const show = t("Show");
  if (answerUntil === null) {
    const message = t("{0} — answer in its terminal.", messageLine(question));
    if ((await vscode.window.showInformationMessage(message, show)) === show) await showWhole(question, []);
    return;
  }
  const approve = t("Approve");
  const deny = t("Deny");
  let choice = await vscode.window.showWarningMessage(messageQuestion(question, t), approve, deny, show);
  if (choice === show) choice = await showWhole(question, [approve, deny]);
  if (choice !== approve && choice !== deny) return;
  const answer = await service.ask("messageAnswer", { id, decision: choice === approve ? "allow" : "deny" });
  if (answer.ok && answer.value.isTaken) return;
  await inform(`${messageLine(question)}: ${tooLate(settled.get(id))}`);
}

/** Uses a dialog, which shows text as it is. */
async function showWhole(question: MessageQuestion, offers: readonly string[]): Promise<string | undefined> {
  const { from, to, text } = question;
  const rest = restOf(question, t);
  const detail = [cleanText(text), ...(rest === "" ? [] : [rest])].join("\n\n");
  const title = t("Message from {0} to {1}", cleanText(from), cleanText(to));
  return await vscode.window.showInformationMessage(title, { modal: true, detail }, ...offers);
}

function tooLate(outcome: Outcome | undefined): string {
  switch (outcome) {
    case "approved":
      return t("it was approved already.");
    case "denied":
      return t("it was denied already.");
    case "asked":
    case undefined:
      return t("the agent asks you itself now.");
  }
}
