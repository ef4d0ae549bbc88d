import * as vscode from "vscode";
import { t } from "../../engine/base/language.ts";
const scheme = "purser-text";
/** Opens a text that is not a file. Features that are loaded later run it as a command. */
export const openTextCommand = "purser.openText";
/** Maximum texts held for open editors. The oldest is dropped first. */
const maxTexts = 20;

/** A text that can be read and not changed. */
export interface ReadOnlyText {
  /** Title of its editor. */
  readonly name: string;
  /** Shown as it is meant to be read; else as it is written. */
  readonly isMarkdown: boolean;
  readonly text: string;
}

/** Shows texts without a file: nothing has to be saved, and nothing is left behind. */
export function registerReadOnlyTexts(): vscode.Disposable {
  const held = new Map<string, string>();
  let count = 0;
  const provideTextDocumentContent = (uri: vscode.Uri) =>
    held.get(uri.path) ?? t("This text was opened in an earlier window. Open it again where it came from.");
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent }),
    vscode.commands.registerCommand(openTextCommand, async (asked: unknown) => {
      if (!isText(asked)) return;
      const file = `${asked.name.replaceAll(/[\\/?#]/gu, "-")}${asked.isMarkdown ? ".md" : ".txt"}`;
      const uri = vscode.Uri.from({ scheme, path: `/${(count += 1)}/${file}` });
      held.set(uri.path, asked.text);
      for (const oldest of [...held.keys()].slice(0, -maxTexts)) held.delete(oldest);
      await show(uri, asked.isMarkdown);
    }),
  );
}

async function show(uri: vscode.Uri, isMarkdown: boolean): Promise<void> {
  if (isMarkdown && vscode.extensions.getExtension("vscode.markdown-language-features") !== undefined)
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  else await vscode.window.showTextDocument(uri, { preview: true });
}

function isText(asked: unknown): asked is ReadOnlyText {
  return (
    typeof asked === "object" &&
    asked !== null &&
    "name" in asked &&
    typeof asked.name === "string" &&
    "text" in asked &&
    typeof asked.text === "string" &&
    "isMarkdown" in asked &&
    typeof asked.isMarkdown === "boolean"
  );
}
