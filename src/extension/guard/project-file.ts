import path from "node:path";
import * as vscode from "vscode";

const { t } = vscode.l10n;

/** Shows a file of guard rules at a line, starting at 1. Returns false if there is none. */
export async function showRules(file: string, line: number | null): Promise<boolean> {
  const uri = vscode.Uri.file(file);
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at), preview: false });
  return true;
}

/** Shows the guard rules of a folder of this window, which the user picks where there are several; a new file is written once it is saved. */
export async function openProjectRules(): Promise<void> {
  const [only, ...others] = vscode.workspace.workspaceFolders ?? [];
  const folder =
    others.length === 0
      ? only
      : await vscode.window.showWorkspaceFolderPick({
          placeHolder: t("The folder whose guard rules to open"),
        });
  if (folder?.uri.scheme !== "file") return;
  const file = path.join(folder.uri.fsPath, ".purser", "guard.yaml");
  if (await showRules(file, null)) return;
  const uri = vscode.Uri.file(file).with({ scheme: "untitled" });
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
    preview: false,
  });
  if (editor.document.getText() === "")
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), template));
}

/** Every line is a comment, so the template changes nothing. */
const template = `# Guard rules of this project: they may be stricter than their users' own, never laxer.

# What rules that come with purser do instead: advise, ask or deny.
# set:
#   git-push-force: deny

# rules:
#   - id: no-deploy-by-hand
#     match: [{ program: make, words: deploy }]
#     message: This deploys to the shop that customers use.
#     remedy: Open a pull request; it is deployed when merged.
#     fires: [make deploy]
#     passes: [make test]
`;
