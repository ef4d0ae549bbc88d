import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/engine/base/timing.ts";
import { createBudget } from "../../src/engine/budgets/convoys/convoys-store.ts";
import { noHistory } from "../../src/engine/budgets/projection.ts";
import { thisMachine } from "../../src/engine/base/process/machine.ts";
import { projectBudgets } from "../../src/engine/budgets/live/project.ts";
import { eventually, test } from "./harness.ts";
import { workspaceFolder } from "./support/inside-session.ts";

/** purser's entries in Problems for a file. */
function problemsOf(file: string): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(vscode.Uri.file(file)).filter(({ source }) => source === "Purser");
}

test("a budget edited by hand is in Problems until the user accepts it", async () => {
  const project = workspaceFolder();
  const machine = thisMachine();
  const ports = {
    pid: process.pid,
    machine,
    clock: systemClock,
    history: noHistory,
    apart: { folder: join(tmpdir(), "purser-inside-spending"), isTrusted: null },
  };
  const made = await createBudget({ convoyId: "inside" }, projectBudgets(project, ports));
  assert.ok(made.ok, made.ok ? "" : made.detail.text);
  const { file } = made.value;
  try {
    await writeFile(file, (await readFile(file, "utf8")).replace("500000", "600000"));
    const problem = await eventually("the problem", () => problemsOf(file)[0]);
    assert.match(problem.message, /^This file cannot be used/u);
    await vscode.workspace.openTextDocument(file);
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      vscode.Uri.file(file),
      new vscode.Range(0, 0, 0, 1),
    );
    const ours = fixes.map(({ title }) => title).filter((title) => title.includes("budget"));
    assert.deepEqual(ours, ["Accept this budget as written", "Delete this budget…"]);
    void vscode.commands.executeCommand("purser.acceptBudget", file);
    await eventually("no problem", () => (problemsOf(file).length === 0 ? true : undefined));
    assert.match(await readFile(file, "utf8"), /600000/u);
  } finally {
    await rm(join(project, ".purser"), { recursive: true });
    await vscode.commands.executeCommand("notifications.clearAll");
  }
});
