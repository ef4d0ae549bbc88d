/** Installs the translation into the editor's language. Imported before anything else, since modules may hold sentences as constants. */
import path from "node:path";
import * as vscode from "vscode";
import { installTranslation, type Translation } from "../../engine/base/language.ts";
import { readPackedTranslation } from "../../engine/base/packed-texts.ts";

const { language } = vscode.env;
const [primary = language] = language.split("-");
const translation =
  primary === "en"
    ? undefined
    : readPackedTranslation(path.dirname(import.meta.filename), [...new Set([language, primary])]);
if (translation !== undefined) installTranslation(translation);

/** The translation into the editor's language. Undefined for English and for languages without one. */
export function editorTranslation(): Translation | undefined {
  return translation;
}
