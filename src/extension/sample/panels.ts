import * as vscode from "vscode";
import { plainSentence, t } from "../../engine/base/language.ts";
import { fail } from "../../engine/base/result.ts";
import { agentDefinitions, agentFolders } from "../../engine/rules/agent-definition.ts";
import { HandoverLinks } from "../handover/links.ts";
import type { Services } from "../services.ts";
import { purserPaths } from "../../engine/base/paths.ts";
import { sampleGuardModes } from "./guard-mode.ts";
import { nothingRuns } from "./guarded.ts";
import type { SampleHomes } from "./unpack.ts";
import { inform } from "../editor/notices.ts";

/** The sample's panels, which are those of the user's own data on another service. */
export interface SamplePanels extends vscode.Disposable {
  readonly handovers: HandoverLinks;
  /**
   * Runs one of the usual commands for the sample. Commands without a panel explain that nothing runs here.
   */
  readonly follow: (command: string, ...targets: readonly unknown[]) => void;
}

type Needs = Pick<Services, "context" | "log" | "service" | "sessions" | "sample">;

export async function samplePanels(
  services: Needs,
  { claude, workspace, env, root }: SampleHomes,
): Promise<SamplePanels> {
  const [{ LedgerPanel }, { ExperimentsPanel }, { RulesPanel }, { GuardPanel }, { EconomyPanel }] =
    await Promise.all([
      import("../ledger/ledger-panel.ts"),
      import("../experiments/experiments-panel.ts"),
      import("../rules/rules-panel.ts"),
      import("../guard/guard-panel.ts"),
      import("../economy/economy-panel.ts"),
    ]);
  const refuse = () => void inform(nothingRuns(t));
  const follow: SamplePanels["follow"] = (command, target) => {
    switch (command) {
      case "purser.openLedger":
        ledger.run(command, target);
        return;
      case "purser.reviewRules":
        rules.show(typeof target === "string" ? { kind: "rule", id: target } : undefined);
        return;
      case "purser.openExperiments":
        experiments.open(target);
        return;
      case "purser.showGuard":
        guard.run();
        return;
      case "purser.showEconomy":
        economy.run();
        return;
      default:
        refuse();
    }
  };
  const handovers = new HandoverLinks(services.service);
  const own = { ...services, follow, handovers };
  const ledger = new LedgerPanel(own);
  const experiments = new ExperimentsPanel(own, {
    root: () => claude,
    prompts: () => Promise.resolve([]),
    onPrompts: () => ({ dispose: () => undefined }),
    copyPrompt: () => Promise.resolve(fail("sample", plainSentence(nothingRuns(t)))),
    openFile: refuse,
    chooseFile: () => Promise.resolve(fail("bad_argument", plainSentence(nothingRuns(t)))),
    // Its panel of rules shows what was measured of them.
    openRules: (page) => follow(page === "guards" ? "purser.showGuard" : "purser.reviewRules"),
    shorten: refuse,
    draftTasks: refuse,
  });
  const rules = new RulesPanel(own, {
    root: () => claude,
    add: refuse,
    promote: refuse,
    definitions: () => agentDefinitions(agentFolders([workspace], claude)),
  });
  const guard = new GuardPanel(own, {
    ...sampleGuardModes(purserPaths({ env, home: root })),
    hasProject: () => false,
    hasHooks: () => true,
  });
  const economy = new EconomyPanel(own);
  const owned = vscode.Disposable.from(handovers, ledger, experiments, rules, guard, economy);
  return { follow, handovers, dispose: () => void owned.dispose() };
}
