import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";

/** The Ledger tabs; the editor prefixes a webview's type. */
function ledgerTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith("purser.ledger"),
    );
}

test("opens the Ledger in one editor, even when opened repeatedly", async () => {
  await vscode.commands.executeCommand("purser.openLedger");
  const tab = await eventually("the Ledger's tab", () => ledgerTabs()[0]);
  assert.equal(tab.label, "Usage");
  await vscode.commands.executeCommand("purser.openLedger", "5e550001-0000-4000-8000-000000000001");
  assert.equal(ledgerTabs().length, 1);
  await vscode.window.tabGroups.close(tab);
  await eventually("a closed tab", () => (ledgerTabs().length === 0 ? true : undefined));
});

test("opens the Ledger again after it was closed", async () => {
  await vscode.commands.executeCommand("purser.openLedger");
  const tab = await eventually("the Ledger's tab", () => ledgerTabs()[0]);
  await vscode.window.tabGroups.close(tab);
});
