import * as vscode from "vscode";

/** The window's folders that are on disk. */
export function windowFolders(): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return folders.map(({ uri }) => uri.fsPath);
}
