import * as vscode from "vscode";
import { inform } from "./editor/notices.ts";
import { t } from "../engine/base/language.ts";

/** Commands of version 0.1 that keybindings may name: the command that replaces each, with its argument. They work in this version. */
const formerCommands: Readonly<Record<string, readonly [command: string, argument?: string]>> = {
  "purser.addRule": ["purser.reviewRules"],
  "purser.compare": ["purser.newExperiment", "comparison"],
  "purser.evolvePrompt": ["purser.newExperiment", "prompt"],
  "purser.installAgents": ["purser.newExperiment", "benchmark"],
  "purser.openBenchmark": ["purser.openExperiments"],
  "purser.openComparisons": ["purser.openExperiments"],
  "purser.openSampleBenchmark": ["purser.openSample"],
  "purser.openSampleComparisons": ["purser.openSample"],
  "purser.openSampleLedger": ["purser.openSample"],
  "purser.resumeBenchmark": ["purser.openExperiments"],
  "purser.reviewSampleRules": ["purser.openSample"],
  "purser.runBenchmark": ["purser.newExperiment", "benchmark"],
  "purser.showReport": ["purser.openLedger"],
  "purser.showSampleEconomy": ["purser.openSample"],
  "purser.showSampleGuard": ["purser.openSample"],
  "purser.showSampleReport": ["purser.openSample"],
  "purser.uninstallHooks": ["purser.showHooks"],
};

/** Registers the former commands. Each runs the new one with what it was given, and names it. */
export function registerFormerCommands(): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(formerCommands).map(([former, [command, argument]]) =>
      vscode.commands.registerCommand(former, async (target?: unknown) => {
        void inform(t("{0} is called {1} now; the old name works in this version only", former, command));
        await vscode.commands.executeCommand(command, target ?? argument);
      }),
    ),
  );
}
