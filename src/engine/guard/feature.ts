import { Provision } from "../base/result.ts";
import type { CreateFeature } from "../hooks/feature.ts";
import { isGuarding } from "../settings/guard.ts";
import { noEndedCallGuards, type EndedCallGuards } from "./host/after-calls.ts";
import { GuardHost } from "./host/guard-host.ts";
import { createGuards } from "./host/guards.ts";
import { HistoryPlayer } from "./host/history-player.ts";
import { registerGuards, type LearnedHints } from "./host/register-guards.ts";
import { recordUnreportedCalls } from "./host/unreported-calls.ts";
import { serveGuard, serveReplay } from "./host/serve-guard.ts";

/** The guards of a service, for the features after them. */
export const guardsOf = new Provision<ReturnType<typeof createGuards>>();

/** Lessons from past sessions, which a later feature provides. */
export const learnedHints = new Provision<LearnedHints>();

const endedCalls = new Provision<EndedCallGuards>();

/** Returns the guards on ended calls; empty until the guards are registered. */
export function endedCallsOf(service: object): EndedCallGuards {
  return endedCalls.of(service) ?? noEndedCallGuards;
}

/** Judges tool calls and shortens outputs. */
export const guardFeature: CreateFeature = (core) => {
  if (core === undefined) return { name: "guard", serve: [serveGuard(undefined), serveReplay(undefined)] };
  const { settings, clock, guardReplayWorker: program } = core;
  const guards = guardsOf.give(core, createGuards(core));
  const player = program === undefined ? undefined : new HistoryPlayer({ ...core, program });
  return {
    name: "guard",
    serve: [serveGuard(new GuardHost(core)), serveReplay(player)],
    register: (hooks) => {
      const learned = learnedHints.of(core);
      endedCalls.give(core, registerGuards(hooks, { ...core, guards, learned, now: () => clock.now() }));
    },
    onWindow: (window) => guards.setWindow(window),
    prepare: async () => {
      if (isGuarding(settings.now())) await guards.prepare();
    },
    load: () => {
      guards.load();
      recordUnreportedCalls(core);
    },
  };
};
