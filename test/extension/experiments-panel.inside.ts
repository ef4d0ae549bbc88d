import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";

/** The Experiments tabs; the editor prefixes a webview's type. */
function experimentTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith("purser.experiments"),
    );
}

test("the Experiments panel opens in one editor, and opens again after it was closed", async () => {
  await vscode.commands.executeCommand("purser.newExperiment", "comparison");
  const tab = await eventually("the panel's tab", () => experimentTabs()[0]);
  assert.equal(tab.label, "Experiments");
  await vscode.commands.executeCommand("purser.openExperiments", "20260101-000000-backend-abcd");
  assert.equal(experimentTabs().length, 1);
  await vscode.window.tabGroups.close(tab);
  await eventually("a closed tab", () => (experimentTabs().length === 0 ? true : undefined));
  await vscode.commands.executeCommand("purser.newExperiment");
  await vscode.window.tabGroups.close(await eventually("the panel's tab", () => experimentTabs()[0]));
});

test("former commands open the panel that replaces theirs", async () => {
  const former = [
    "openBenchmark",
    "openComparisons",
    "compare",
    "evolvePrompt",
    "resumeBenchmark",
    "runBenchmark",
  ];
  for (const name of former) {
    await vscode.commands.executeCommand(`purser.${name}`);
    await vscode.window.tabGroups.close(await eventually(name, () => experimentTabs()[0]));
    await eventually("a closed tab", () => (experimentTabs().length === 0 ? true : undefined));
  }
});
