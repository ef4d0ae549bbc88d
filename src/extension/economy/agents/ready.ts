import path from "node:path";
import * as vscode from "vscode";
import { inMessage } from "../../editor/outside-text.ts";
import { offer, warn } from "../../editor/notices.ts";

const { t } = vscode.l10n;
const maxNameLength = 60;

/** The program reads the file on the disk: what is not saved yet is saved first. */
export async function isSaved(file: string): Promise<boolean> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === file);
  if (open?.isDirty !== true || (await open.save())) return true;
  await warn(
    t("{0} could not be saved, so nothing was begun.", inMessage(path.basename(file), maxNameLength)),
  );
  return false;
}

/** An agent's file instructs a program, and names commands. */
export async function isTrusted(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  await offer(t("Waking an agent runs what its file says, so this folder has to be trusted first."), {
    label: t("Manage Workspace Trust"),
    command: "workbench.trust.manage",
  });
  return false;
}
