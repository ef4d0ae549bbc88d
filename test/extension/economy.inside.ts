import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";
import { workspaceFolder } from "./support/inside-session.ts";

const head = "---\nprogram: claude\nmodel: claude-sonnet-4-5\n";

function problemsOf(uri: vscode.Uri): string[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === "Purser")
    .map(({ range, message }) => `${range.start.line + 1}: ${message}`);
}

test("a recurring agent's file is checked while it is written, opened at its fault, and agreed to in a terminal that shows it", async () => {
  const project = workspaceFolder();
  const folder = join(project, ".purser", "agents");
  const file = join(folder, "keeper.md");
  const uri = vscode.Uri.file(file);
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${head}scedule: 5 * * * *\n---\nYou keep it.\n`);
  const node = {
    kind: "recurring-agent",
    overview: { name: "keeper", file, project, faults: [{ line: 4, message: "x" }] },
  };
  try {
    await eventually("the fault of a file that is not open", () =>
      problemsOf(uri).join() === '4: Unrecognized key: "scedule"' ? true : undefined,
    );
    await vscode.commands.executeCommand("purser.openAgentFile", node);
    const editor = vscode.window.activeTextEditor;
    assert.deepEqual([editor?.document.uri.fsPath, editor?.selection.start.line], [file, 3]);
    assert.ok(editor);
    await editor.edit((edit) => edit.replace(new vscode.Range(3, 0, 3, 7), "schedule"));
    await eventually("no fault of what is written", () => (problemsOf(uri).length === 0 ? true : undefined));
    assert.ok(editor.document.isDirty, "it was checked before it was saved");
    const helped = async (line: number, column: number) => {
      const place = new vscode.Position(line, column);
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        uri,
        place,
      );
      return items.map(({ label }) => (typeof label === "string" ? label : label.label));
    };
    assert.ok((await helped(1, "program: ".length)).includes("codex"));
    const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      uri,
      new vscode.Position(3, 2),
    );
    const [hoverText] = hover?.contents ?? [];
    assert.match(hoverText instanceof vscode.MarkdownString ? hoverText.value : "", /\bcron\b/u);
    // The agent's program is not installed here, or asks first: nothing is spent either way.
    void vscode.commands.executeCommand("purser.wakeAgent", node);
    await eventually("what is woken is what was written", () => (editor.document.isDirty ? undefined : true));
    void vscode.commands.executeCommand("purser.agreeToAgent", node);
    const terminal = await eventually("a terminal shows what is agreed to", () =>
      vscode.window.terminals.find(({ name }) => name === "Agree to keeper"),
    );
    const { creationOptions } = terminal;
    assert.ok("shellArgs" in creationOptions && Array.isArray(creationOptions.shellArgs));
    assert.deepEqual(creationOptions.shellArgs.slice(1), ["agent", "agree", "keeper"]);
    terminal.dispose();
    await rm(file);
    await writeFile(join(folder, "other.md"), "---\nprogram: claude\n---\n");
    const other = vscode.Uri.file(join(folder, "other.md"));
    await eventually("the fault of a new file", () => (problemsOf(other).length === 1 ? true : undefined));
    await rm(join(project, ".purser", "agents"), { recursive: true, force: true });
    await eventually("no fault without a file", () => (problemsOf(other).length === 0 ? true : undefined));
  } finally {
    for (const each of vscode.window.terminals) if (each.name === "Agree to keeper") each.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await rm(folder, { recursive: true, force: true });
  }
});
