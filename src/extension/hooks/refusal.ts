import * as vscode from "vscode";
import type { InstallReason, ChangeReason } from "../../engine/hooks/install.ts";
import type { Failure } from "../../engine/base/result.ts";
import { describeRefusal } from "./describe-hooks.ts";
import { inMessage, saidInMessage } from "../editor/outside-text.ts";
import { warn } from "../editor/notices.ts";
import { inWords, plainSentence, t } from "../../engine/base/language.ts";
const maxDetailLength = 300;

/** Reasons for which opening the file does not help, or no file exists. */
const withoutFile: readonly (InstallReason | ChangeReason)[] = ["no_such_scope", "link_loop", "too_large"];

/** Says why a file was not changed, and offers remedies: opening it at the faulty line, and retrying. */
export async function showRefusal(
  { reason, detail }: Failure<InstallReason | ChangeReason>,
  file: string,
  again: () => Promise<void>,
): Promise<void> {
  const openIt = t("Open File");
  const retry = reason === "changed" ? t("Look Again") : t("Try Again");
  const message = inMessage(describeRefusal(reason, inWords(detail), t), maxDetailLength);
  const offers = withoutFile.includes(reason) ? [retry] : [openIt, retry];
  const choice = await vscode.window.showErrorMessage(message, ...offers);
  if (choice === openIt) await openSettingsFile(file, lineIn(detail.text));
  if (choice === retry) await again();
}

/** @param line starts at 1 */
export async function openSettingsFile(file: string, line = 1): Promise<void> {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    await warn(t("The file cannot be opened: {0}", saidInMessage(plainSentence(why), maxDetailLength)));
  }
}

function lineIn(detail: string): number | undefined {
  const [, line] = /: line (\d+) /u.exec(detail) ?? [];
  return line === undefined ? undefined : Number(line);
}
