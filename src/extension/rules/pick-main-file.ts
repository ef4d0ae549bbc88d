import {
  describeMainFile,
  describeNotIgnored,
  mainFiles,
  type MainFile,
} from "../../engine/rules/main-files.ts";
import path from "node:path";
import * as vscode from "vscode";
import { inWords, t } from "../../engine/base/language.ts";
import { isIgnoredByGit } from "../../engine/rules/chosen-files.ts";
import { warn } from "../editor/notices.ts";
import { windowFolders } from "../editor/window-files.ts";

interface Picked {
  readonly project: string;
  readonly name: MainFile | null;
}

/**
 * Asks which file of a project gets the rules of the main conversation. Undefined if the user gives up.
 * @param isChosen whether there is a choice that can be taken back
 */
export async function pickMainFile(isChosen: boolean): Promise<Picked | undefined> {
  const project = await pickProject();
  if (project === undefined) return undefined;
  const none = {
    label: t("No File"),
    detail: t("Takes purser's rules out of the file chosen before."),
    name: null,
  };
  const chosen = await vscode.window.showQuickPick(
    [
      ...mainFiles.map((name) => ({ label: name, detail: inWords(describeMainFile(name)), name })),
      ...(isChosen ? [none] : []),
    ],
    {
      title: t("Rules of the Main Conversation"),
      placeHolder: t("Which file do they go into? Purser changes only a marked block of it."),
    },
  );
  if (chosen === undefined) return undefined;
  const { name } = chosen;
  if (name === "CLAUDE.local.md" && (await isIgnoredByGit(project, name)) === false)
    void warn(inWords(describeNotIgnored(name)));
  return { project, name };
}

async function pickProject(): Promise<string | undefined> {
  const folders = windowFolders();
  if (folders.length < 2) return folders[0];
  const chosen = await vscode.window.showQuickPick(
    folders.map((folder) => ({ label: path.basename(folder), description: folder, folder })),
    { title: t("Rules of the Main Conversation"), placeHolder: t("For which folder?") },
  );
  return chosen?.folder;
}
