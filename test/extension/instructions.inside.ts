import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";
import { workspaceFolder } from "./support/inside-session.ts";

function kindsOf(uri: vscode.Uri): unknown[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === "Purser")
    .map(({ code }) => code);
}

async function fixesAt(uri: vscode.Uri, line: number): Promise<vscode.CodeAction[]> {
  const range = new vscode.Range(line, 0, line, 1);
  return await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    range,
  );
}

test("lists costly instructions in Problems, and its quick fixes repair them, also into a new file", async () => {
  const project = workspaceFolder();
  const file = join(project, "CLAUDE.md");
  const uri = vscode.Uri.file(file);
  const items = Array.from({ length: 8 }, (_, number) => `- gear ${number} was cut\n`).join("");
  await writeFile(file, `# Orrery\n\nLast updated: 2026-11-24\n\n## Progress\n\n${items}`);
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    await eventually("both findings", () => (kindsOf(uri).length === 2 ? true : undefined));
    assert.deepEqual(kindsOf(uri), ["date", "growing-list"]);
    for (const [line, title] of [
      [4, "Move It to docs/progress.md"],
      [2, "Remove This Line"],
    ] as const) {
      const fixes = await eventually("the quick fix", async () => {
        const found = await fixesAt(uri, line);
        return found.some((each) => each.title === title) ? found : undefined;
      });
      const edit = fixes.find((each) => each.title === title)?.edit;
      assert.ok(edit);
      assert.ok(await vscode.workspace.applyEdit(edit));
    }
    await eventually("no finding", () => (kindsOf(uri).length === 0 ? true : undefined));
    assert.equal(
      document.getText(),
      "# Orrery\n\n\n## Progress\n\n`docs/progress.md` has it: read it when you need it.\n",
    );
    const moved = await vscode.workspace.openTextDocument(join(project, "docs", "progress.md"));
    assert.equal(moved.getText(), `## Progress\n\n${items}`);
    assert.match(
      await readFile(file, "utf8"),
      /gear 7/u,
      "the old text stays on the disk until the new one is saved",
    );
  } finally {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const each of ["CLAUDE.md", "docs"]) await rm(join(project, each), { recursive: true, force: true });
  }
});
