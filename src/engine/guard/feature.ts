import { Provision } from "../base/result.ts";
import type { CreateFeature } from "../hooks/feature.ts";
import { isGuarding } from "../settings/guard.ts";
import { noEndedCallGuards, type EndedCallGuards } from "./host/after-calls.ts";
import { createGuards } from "./host/guards.ts";
import { HistoryPlayer } from "./host/history-player.ts";
import { GuardHost } from "./host/guard-host.ts";
import { registerGuards, type LearnedHints } from "./host/register-guards.ts";
import { serveGuard } from "./host/serve-guard.ts";
import { serveReplay } from "./host/serve-replay.ts";

/** The guards of a service, for the features after them. */
export const guardsOf = new Provision<ReturnType<typeof createGuards>>();

/** What past sessions teach, which a later feature gives to guards. */
export const learnedHints = new Provision<LearnedHints>();

const endedCalls = new Provision<EndedCallGuards>();

/** What guards know of calls that have ended: once the guards are registered. */
export function endedCallsOf(service: object): EndedCallGuards {
  return endedCalls.of(service) ?? noEndedCallGuards;
}

/** Judges tool calls and makes outputs smaller. */
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
    load: () => guards.load(isGuarding(settings.now())),
  };
};
