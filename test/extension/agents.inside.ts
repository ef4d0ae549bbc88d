import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";

function agentsFolder(): string {
  const folder = process.env["CLAUDE_CONFIG_DIR"];
  assert.ok(folder, "the tests need a CLAUDE_CONFIG_DIR of their own");
  return join(folder, "agents");
}

async function shown(): Promise<void> {
  await eventually("the agent's file, shown", () =>
    (vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? "").startsWith("Install Agents: backend")
      ? true
      : undefined,
  );
}

test("an agent's file is shown before it is written, and is not written after a no", async () => {
  const folder = agentsFolder();
  try {
    void vscode.commands.executeCommand("purser.installAgents", "backend");
    await shown();
    const then = await eventually("its text", () =>
      vscode.workspace.textDocuments.find(
        ({ uri }) => uri.scheme === "purser-hooks" && uri.query.startsWith("then"),
      ),
    );
    assert.match(then.getText(), /^---\nname: /u);
    assert.equal(existsSync(folder), false, "nothing is written before it is asked for");
    await vscode.commands.executeCommand("purser.dropHookChange");
    await eventually("no comparison any more", () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith("Install Agents") === true
        ? undefined
        : true,
    );
    assert.equal(existsSync(folder), false);

    void vscode.commands.executeCommand("purser.installAgents", "backend");
    await shown();
    await vscode.commands.executeCommand("purser.applyHookChange");
    const name = await eventually("the agent's file, no temporary one any more", () => {
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.length === 1 && names[0]?.endsWith(".md") === true ? names[0] : undefined;
    });
    assert.match(await readFile(join(folder, name), "utf8"), /^---\nname: /u);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
