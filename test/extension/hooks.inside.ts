import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";

const before = '{\n  // mine\n  "model": "opus"\n}\n';

function settingsFile(): string {
  const folder = process.env["CLAUDE_CONFIG_DIR"];
  assert.ok(folder, "the tests need a CLAUDE_CONFIG_DIR of their own");
  return join(folder, "settings.json");
}

/** Takes what is offered first in the lists that come, until the change is shown. */
async function untilShown(): Promise<void> {
  await eventually("the change, shown", async () => {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    if (activeTab?.input instanceof vscode.TabInputTextDiff) return true;
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await new Promise((resolve) => setTimeout(resolve, 200));
    return undefined;
  });
}

async function fileHas(text: string | undefined): Promise<void> {
  await eventually(`the settings ${text ?? "as before"}`, async () => {
    const now = await readFile(settingsFile(), "utf8");
    return (text === undefined ? now === before : now.includes(text)) ? true : undefined;
  });
}

test("hooks are installed after the change was shown, without the key on the screen, and taken out byte for byte", async () => {
  await writeFile(settingsFile(), before);
  try {
    void vscode.commands.executeCommand("purser.installHooks");
    await untilShown();
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const [left, right] = await Promise.all([
      vscode.workspace.openTextDocument(input.original),
      vscode.workspace.openTextDocument(input.modified),
    ]);
    assert.equal(left.getText(), before);
    assert.match(right.getText(), /--purser-hook=claude-code:SessionStart/u);
    assert.doesNotMatch(right.getText(), /Bearer [\w-]{16,}/u);
    assert.equal(await readFile(settingsFile(), "utf8"), before, "nothing is written before it is asked for");
    await vscode.commands.executeCommand("purser.applyHookChange");
    await fileHas("--purser-hook=claude-code:SessionStart");

    void vscode.commands.executeCommand("purser.uninstallHooks");
    await untilShown();
    await vscode.commands.executeCommand("purser.applyHookChange");
    await fileHas(undefined);
  } finally {
    await rm(settingsFile());
  }
});

test("a change that is closed is not made", async () => {
  await writeFile(settingsFile(), before);
  try {
    void vscode.commands.executeCommand("purser.installHooks");
    await untilShown();
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await vscode.commands.executeCommand("purser.applyHookChange");
    assert.equal(await readFile(settingsFile(), "utf8"), before);
  } finally {
    await rm(settingsFile());
  }
});
