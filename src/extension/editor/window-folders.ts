import * as vscode from "vscode";

/** The window's folders that are on disk. */
export function windowFolders(): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return folders.map(({ uri }) => uri.fsPath);
}

/** The folder with a suite that may be used; null if nothing from the workspace may be run. */
export function trustedFolder(): string | null {
  if (!vscode.workspace.isTrusted) return null;
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.find(({ uri }) => uri.scheme === "file")?.uri.fsPath ?? null;
}
