import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";

/** The Bench tabs; the editor prefixes a webview's type. */
function benchTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith("purser.bench"),
    );
}

test("the Bench panel opens in one editor, and opens again after it was closed", async () => {
  await vscode.commands.executeCommand("purser.openBenchmark");
  const tab = await eventually("the panel's tab", () => benchTabs()[0]);
  assert.equal(tab.label, "Benchmark");
  await vscode.commands.executeCommand("purser.openBenchmark", "20260101-000000-backend-abcd");
  assert.equal(benchTabs().length, 1);
  await vscode.window.tabGroups.close(tab);
  await eventually("a closed tab", () => (benchTabs().length === 0 ? true : undefined));
  await vscode.commands.executeCommand("purser.openBenchmark");
  await vscode.window.tabGroups.close(await eventually("the panel's tab", () => benchTabs()[0]));
});

test("offers nothing to resume when no job was started", async () => {
  // The command shows a notification, which nobody answers here.
  void vscode.commands.executeCommand("purser.resumeBenchmark");
  const commands = await vscode.commands.getCommands(true);
  for (const name of ["purser.resumeBenchmark", "purser.newGoldenTask"])
    assert.ok(commands.includes(name), name);
});
