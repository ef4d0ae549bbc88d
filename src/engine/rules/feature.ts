import { Provision } from "../base/result.ts";
import type { CreateFeature } from "../hooks/feature.ts";
import { rulesNudgeHandler } from "./hook/rules-handler.ts";
import { createRules } from "./host/create-rules.ts";
import { serveNudge, serveRules, type TaskWeights } from "./host/serve-rules.ts";
import { serveTrials } from "./host/serve-trials.ts";
import { trialHandler, trialNotesHandler } from "./trial/hook/trial-handler.ts";
import { TurnCosts } from "./turn-costs/calculator.ts";
import { turnCostHandler } from "./turn-costs/turn-costs-handler.ts";

export type { RulesService } from "./host/rules-host.ts";
export { serveRules } from "./host/serve-rules.ts";

/** The rules of a service, for the features after them. */
export const rulesOf = new Provision<ReturnType<typeof createRules>>();

/** Weights of golden tasks, provided by a later feature. */
export const taskWeights = new Provision<TaskWeights>();

const noWeights: TaskWeights = () => new Map();

/** Rules of agents' memories, from their proposal to their verdict; and what costly turns teach. */
export const rulesFeature: CreateFeature = (core) => {
  if (core === undefined) return { name: "rules", serve: [serveRules(undefined), serveNudge(undefined)] };
  const { settings, clock, memory } = core;
  const { service, nudge, finish } = rulesOf.give(core, createRules({ ...core, settings: settings.now }));
  const now = () => clock.now();
  return {
    name: "rules",
    serve: [serveRules(service, () => (taskWeights.of(core) ?? noWeights)()), serveNudge(nudge)],
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

/** Trials of rules on real work. */
export const trialFeature: CreateFeature = (core) => {
  const trials = core && rulesOf.of(core)?.trials;
  return {
    name: "trials",
    serve: [serveTrials(trials)],
    register: (hooks) => {
      if (core === undefined || trials === undefined) return;
      const { assignment } = trials;
      hooks.register(trialHandler({ trials: assignment, now: () => core.clock.now() }));
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
