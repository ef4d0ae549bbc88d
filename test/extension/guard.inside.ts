import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";
import { workspaceFolder } from "./support/inside-session.ts";

function faultsOf(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  const { Error: error } = vscode.DiagnosticSeverity;
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, severity }) => source === "Purser" && severity === error);
}

async function replace(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

test("a project's guard.yaml has faults at their lines while it is typed, fixes, suggestions, explanations and lenses", async () => {
  const folder = path.join(workspaceFolder(), ".purser");
  const file = path.join(folder, "guard.yaml");
  await mkdir(folder, { recursive: true });
  await writeFile(file, "set:\n  delete-hom: ask\n");
  try {
    const uri = vscode.Uri.file(file);
    const document = await vscode.workspace.openTextDocument(uri);
    const fault = await eventually("the fault", () => faultsOf(uri)[0]);
    assert.match(fault.message, /^there is no rule delete-hom;/u);
    assert.deepEqual([fault.range.start.line, fault.range.start.character], [1, 2]);
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      uri,
      fault.range,
    );
    const fix = fixes.find(({ title }) => title === "Write delete-home");
    assert.ok(fix?.edit !== undefined && (await vscode.workspace.applyEdit(fix.edit)));
    await eventually("no fault", () => (faultsOf(uri).length === 0 ? true : undefined));
    await replace(document, "set:\n  delete-home: ask\nrules:\n  - id: no-deploy\n    fam");
    const listed = await vscode.commands.executeCommand<vscode.CompletionList>(
      "vscode.executeCompletionItemProvider",
      uri,
      new vscode.Position(4, 7),
    );
    assert.ok(listed.items.some(({ label, insertText }) => label === "family" && insertText === "family: "));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      uri,
      new vscode.Position(1, 5),
    );
    const texts = hovers.flatMap(({ contents }) =>
      contents.map((each) => (each instanceof vscode.MarkdownString ? each.value : "")),
    );
    assert.match(texts.join("\n"), /delete-home\*\* \(safety\) asks/u);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      uri,
      20,
    );
    const tests = lenses.filter(({ command }) => command?.command === "purser.testGuardRule");
    assert.deepEqual(
      tests.map(({ range }) => range.start.line),
      [1, 3],
    );
    // The input starts with the command on which the rule is tried: Enter ends it.
    let isEnded = false;
    const target = { uri: uri.toString(), id: "delete-home" };
    const trying = vscode.commands.executeCommand("purser.testGuardRule", target);
    void trying.then(() => (isEnded = true));
    await eventually("the end of trying the rule", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return isEnded ? true : undefined;
    });
    await document.save();
  } finally {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await rm(folder, { recursive: true });
  }
});

test("the user's guard rules are written as a file of comments, and opened", async () => {
  await vscode.commands.executeCommand("purser.openGuardRules");
  const editor = await eventually("the file", () => {
    const { activeTextEditor: active } = vscode.window;
    return active?.document.uri.path.endsWith("guard.yaml") === true ? active : undefined;
  });
  const { document } = editor;
  assert.ok(!document.isUntitled && !document.isDirty);
  assert.ok(
    document
      .getText()
      .split("\n")
      .every((line) => line === "" || line.startsWith("#")),
  );
  assert.deepEqual(faultsOf(document.uri), []);
  await replace(document, "exceptions:\n  - rule: delete-home\n    until: 2001-01-01\n");
  const lenses = await eventually("the lenses", async () => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      document.uri,
      20,
    );
    const titles = found.map(({ command }) => command?.title);
    return titles.includes("Has ended") ? titles : undefined;
  });
  assert.ok(lenses.includes("Test…"));
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
});
