import * as vscode from "vscode";

/** The folders of this window that are on the disk. */
export function windowFolders(): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return folders.map(({ uri }) => uri.fsPath);
}
