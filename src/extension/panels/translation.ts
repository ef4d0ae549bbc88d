/** Installs the editor's translation for code that the extension shares with panels and `purser`. */
import * as vscode from "vscode";
import { installTranslation, type Translation } from "../../engine/base/language.ts";

/** The editor's translation, where there is one into its language. */
export function editorTranslation(): Translation | undefined {
  const { bundle } = vscode.l10n;
  return bundle === undefined ? undefined : { language: vscode.env.language, messages: bundle };
}

const translation = editorTranslation();
if (translation !== undefined) installTranslation(translation);
