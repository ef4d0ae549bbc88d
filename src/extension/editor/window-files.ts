import * as vscode from "vscode";

/** The window's folders that are on disk. */
export function windowFolders(): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return folders.map(({ uri }) => uri.fsPath);
}

/** The folder with a suite that may be used; null if nothing from the workspace may be run. */
export function trustedFolder(): string | null {
  if (!vscode.workspace.isTrusted) return null;
  return windowFolders()[0] ?? null;
}

/** Creates something for each folder of the window that is on disk, such as a watcher, and disposes of it with the folder. */
export function forEachFolder(create: (folder: string) => vscode.Disposable): {
  readonly update: () => void;
  readonly dispose: () => void;
} {
  const created = new Map<string, vscode.Disposable>();
  const keep = (folders: readonly string[]) => {
    for (const [folder, item] of created) {
      if (folders.includes(folder)) continue;
      created.delete(folder);
      item.dispose();
    }
    for (const folder of folders) if (!created.has(folder)) created.set(folder, create(folder));
  };
  return { update: () => keep(windowFolders()), dispose: () => keep([]) };
}

export async function fileExists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Opens an untitled editor of a file that is written once it is saved, with a text to begin with. */
export async function openNewFile(file: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: "untitled" }));
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  if (document.getText() === "") await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
}
