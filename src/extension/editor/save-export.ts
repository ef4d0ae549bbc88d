import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { inMessage } from "./outside-text.ts";
import { t } from "../../engine/base/language.ts";
const maxReasonLength = 200;

export interface ExportedFile {
  /** The proposed file name. */
  readonly name: string;
  readonly text: string;
  /** The dialog's title. */
  readonly title: string;
  /** File name extensions, by label. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** Asks where to save, writes the file, and offers to open it. */
export async function saveExport({ name, text, title, filters }: ExportedFile): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: Object.fromEntries(Object.entries(filters).map(([kind, endings]) => [kind, [...endings]])),
    title,
  });
  if (target === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const reason = inMessage(error instanceof Error ? error.message : String(error), maxReasonLength);
    await vscode.window.showErrorMessage(t("The export could not be written: {0}", reason));
    return;
  }
  const openFile = t("Open");
  const saved = t("Exported to {0}.", inMessage(path.basename(target.path), maxReasonLength));
  if ((await vscode.window.showInformationMessage(saved, openFile)) === openFile)
    await vscode.commands.executeCommand("vscode.open", target);
}
