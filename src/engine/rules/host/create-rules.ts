import { randomUUID } from "node:crypto";
import { nodeFiles } from "../../base/files.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { DisposableList } from "../../base/events.ts";
import { heldPrograms, nodeSettingsDisk } from "../../hooks/install.ts";
import { createNeedsFinder, type GoldenPlace } from "../needs-here.ts";
import type { AskAgent } from "../distil/ask-model.ts";
import { RulesNudge } from "../nudge.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { HostPorts } from "../../base/process.ts";
import { RulesService, type RulesSettings } from "./rules-host.ts";
import { TrialHost, type TrialHostPorts } from "./trial-host.ts";
import { RulesWatch } from "./watch-rules.ts";

export interface RulesInput
  extends
    Pick<HostPorts, "clock" | "log" | "env" | "userHome" | "temporary">,
    Pick<TrialHostPorts, "arms" | "settingsOf">,
    GoldenPlace {
  readonly ledger: LedgerHost;
  readonly home: Pick<PurserPaths, "folder" | "mainFiles">;
  readonly settings: () => RulesSettings;
}

export function createRules({ ledger, clock, log, settings, ...input }: RulesInput) {
  // Seldom needed, so loaded on demand.
  const ask: AskAgent = async (question, signal) => {
    const { askClaude } = await import("../../bench/ask-claude.ts");
    const { env, userHome, temporary: scratch } = input;
    const program = env["PURSER_CLAUDE"] ?? "claude";
    return await askClaude(question, { program, env, userHome, clock, scratch }, signal);
  };
  const shared = { ledger, clock, settings, needs: createNeedsFinder(input) };
  const main = { disk: nodeSettingsDisk, chosenFiles: input.home.mainFiles };
  const rules = new RulesService({ ...shared, files: nodeFiles, unique: randomUUID, main });
  const onProblem = (message: string) => log.write("warn", message);
  const nudge = new RulesNudge({
    home: input.home,
    ledger,
    onProblem: ({ text }) => onProblem(text),
    now: () => clock.now(),
  });
  const { env, userHome: home } = input;
  const trials = new TrialHost({
    ledger,
    clock,
    unique: randomUUID,
    programsIn: (folder) => heldPrograms(folder ?? home, { env, home }),
    onProblem,
    arms: input.arms,
    settingsOf: input.settingsOf,
    letIn: (id, given) => rules.tried(id, given),
    switchOff: (id, why) => rules.switchedOff(id, why),
  });
  const owned = new DisposableList();
  owned.add(rules.onChange((change) => nudge.update(change)));
  const watch = owned.add(new RulesWatch({ ...shared, rules, log, ask }));
  owned.add(
    ledger.onChange(() => {
      watch.ask();
      trials.changed();
    }),
  );
  /** Waits for the changes in progress: before the ledger is written. */
  const finish = async () => {
    owned.dispose();
    await Promise.all([rules.stop(), trials.stopChanges()]);
  };
  return { service: rules, nudge, trials, finish };
}
