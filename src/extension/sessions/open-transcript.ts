import * as vscode from "vscode";
import { inMessage } from "../editor/outside-text.ts";
import { fileExists } from "../editor/window-files.ts";
import { warn } from "../editor/notices.ts";
import { t } from "../../engine/base/language.ts";
const maxPathLength = 200;

/**
 * Opens a transcript through the editor, because this extension never receives a file of more than 50 MB. The
 * editor asks first for a very large file.
 */
export async function openTranscript(transcript: string): Promise<void> {
  const uri = vscode.Uri.file(transcript);
  if (await fileExists(uri)) {
    await vscode.commands.executeCommand("vscode.open", uri, { preview: true });
    return;
  }
  await warn(t("The transcript is gone: {0}. Agents remove old ones.", inMessage(transcript, maxPathLength)));
}
