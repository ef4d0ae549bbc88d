import { Provision } from "../base/result.ts";
import type { CreateFeature } from "../hooks/feature.ts";
import { rulesNudgeHandler } from "./host/rules-handler.ts";
import { createRules } from "./host/create-rules.ts";
import { serveNudge, serveRules, type TaskWeights, serveTrials } from "./host/serve-rules.ts";
import { trialHandler, trialNotesHandler } from "./trial/trial-handler.ts";
import { TurnCosts, turnCostHandler } from "./turn-costs.ts";

export type { RulesService } from "./host/rules-host.ts";
export { serveRules } from "./host/serve-rules.ts";

export const rulesOf = new Provision<ReturnType<typeof createRules>>();

export const taskWeights = new Provision<TaskWeights>();

/** Rules of agents' memories, from their proposal to their verdict; and what costly turns teach. */
export const rulesFeature: CreateFeature = (core) => {
  if (core === undefined) return { name: "rules", serve: [serveRules(undefined), serveNudge(undefined)] };
  const { settings, clock, memory } = core;
  const { service, nudge, finish } = rulesOf.give(
    core,
    createRules({ ...core, settings: settings.now, settingsOf: settings.of }),
  );
  const now = () => clock.now();
  return {
    name: "rules",
    serve: [serveRules(service, () => taskWeights.of(core)?.() ?? new Map()), serveNudge(nudge)],
    register: (hooks) => {
      const costs = new TurnCosts({ ...core, now });
      const isOn = () => settings.now().tellCostlyTurns;
      const { spentSince, usual, trajectory } = costs;
      hooks.register(turnCostHandler({ memory, isOn, now, spentSince, usual, trajectory }));
      hooks.register(rulesNudgeHandler({ memory, claim: () => nudge.claimNow() }));
    },
    stopLast: finish,
  };
};

/** Draws for each new session what it has of a trial: before any guard answers. */
export const drawFeature: CreateFeature = (core) => ({
  name: "draws",
  register: (hooks) => {
    if (core === undefined) return;
    const trials = rulesOf.of(core)?.trials.assignment;
    if (trials !== undefined) hooks.register(trialHandler({ trials, now: () => core.clock.now() }));
  },
});

export const trialFeature: CreateFeature = (core) => {
  const trials = core && rulesOf.of(core)?.trials;
  return {
    name: "trials",
    serve: [serveTrials(trials)],
    register: (hooks) => {
      if (trials === undefined) return;
      const { assignment } = trials;
      hooks.register(
        trialNotesHandler({
          prompts: assignment.prompts,
          cleared: (session) => assignment.cleared(session),
        }),
      );
    },
    load: () => trials?.load(),
  };
};
