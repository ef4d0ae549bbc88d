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

/** Accepts the first item of each list until the changes are shown. */
async function untilShown(title: RegExp): Promise<void> {
  await eventually("the changes, shown", async () => {
    if (title.test(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? "")) return true;
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await new Promise((resolve) => setTimeout(resolve, 200));
    return undefined;
  });
}

/** The shown texts of files, as they are now or as they would become. */
async function shownTexts(which: "now" | "then"): Promise<string[]> {
  return await eventually("the files that are shown", () => {
    const shown = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "purser-hooks");
    const texts = shown.filter(({ uri }) => uri.query.startsWith(which)).map((each) => each.getText());
    return texts.length > 0 ? texts : undefined;
  });
}

async function fileHas(text: string | undefined): Promise<void> {
  await eventually(`the settings ${text ?? "as before"}`, async () => {
    const now = await readFile(settingsFile(), "utf8");
    return (text === undefined ? now === before : now.includes(text)) ? true : undefined;
  });
}

test("hooks are installed after the change was shown, without the key on the screen", async () => {
  await writeFile(settingsFile(), before);
  try {
    void vscode.commands.executeCommand("purser.installHooks");
    await untilShown(/^Install Hooks/u);
    assert.ok((await shownTexts("now")).includes(before));
    const then = (await shownTexts("then")).join("\n");
    assert.match(then, /--purser-hook=claude-code:SessionStart/u);
    assert.match(then, /name: check-tokens/u);
    assert.doesNotMatch(then, /Bearer [\w-]{16,}/u);
    assert.equal(await readFile(settingsFile(), "utf8"), before, "nothing is written before it is asked for");
    await vscode.commands.executeCommand("purser.applyHookChange");
    await fileHas("--purser-hook=claude-code:SessionStart");
  } finally {
    await rm(settingsFile());
  }
});

test("a change that is closed is not made", async () => {
  await writeFile(settingsFile(), before);
  try {
    void vscode.commands.executeCommand("purser.installHooks");
    await untilShown(/^Install Hooks/u);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await new Promise((resolve) => setTimeout(resolve, 200));
    await vscode.commands.executeCommand("purser.applyHookChange");
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await readFile(settingsFile(), "utf8"), before);
  } finally {
    await rm(settingsFile());
  }
});
