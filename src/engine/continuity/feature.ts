import { Provision } from "../base/result.ts";
import { guardsOf, learnedHints, endedCallsOf } from "../guard/feature.ts";
import type { CreateFeature } from "../hooks/feature.ts";
import { handoverHandler, createHandovers } from "./host/create-handovers.ts";
import { createContinuity, type Continuity } from "./host/create-continuity.ts";
import { createLearning } from "./host/create-learning.ts";
import {
  serveEffects,
  serveHandovers,
  type HandoverParts,
  serveLearning,
  servePutBack,
} from "./host/serve-continuity.ts";
import { promptAdviceHandler } from "./learn/prompt-handler.ts";
import { stopGateHandler } from "./stop-gate.ts";

export { serveHandovers, type HandoverParts } from "./host/serve-continuity.ts";

/** The parts that follow session stories, for the features of this room. */
const continuityOf = new Provision<Continuity>();

/** The parts that hand over a session's work, for later features. */
export const handoversOf = new Provision<HandoverParts>();

export const learningFeature: CreateFeature = (core) => {
  if (core === undefined)
    return { name: "learning", serve: [serveLearning(undefined), serveEffects(undefined)] };
  const { host, told } = createLearning(core);
  learnedHints.give(core, {
    helpOf: (rule, phase) => told.helpOf(rule, phase),
    promptHandler: (ports) =>
      promptAdviceHandler({
        ...ports,
        knownHere: (folder) => told.knownHere(folder),
        isOpen: () => core.ledger.isOpen,
      }),
  });
  return {
    name: "learning",
    serve: [serveLearning(host), serveEffects(core.ledger)],
    onHook: () => host?.noteHook(),
    load: () => host?.start(),
    stop: async () => await host?.stop(),
  };
};

/** Carries a session's knowledge over compactions and to later sessions. */
export const continuityFeature: CreateFeature = (core) => {
  const guards = core && guardsOf.of(core);
  if (core === undefined || guards === undefined)
    return { name: "continuity", serve: [servePutBack(undefined)] };
  const continuity = continuityOf.give(core, createContinuity({ ...core, guards }));
  return {
    name: "continuity",
    serve: [servePutBack(continuity.compactions)],
    register: continuity.register,
    resume: continuity.resume,
  };
};

export const handoverFeature: CreateFeature = (core) => {
  const continuity = core && continuityOf.of(core);
  if (core === undefined || continuity === undefined)
    return { name: "handovers", serve: [serveHandovers(undefined)] };
  const handovers = createHandovers({ ...core, continuity, contextOf: core.adviceOf });
  const parts = handoversOf.give(core, { handovers, offers: continuity.offers, ledger: core.ledger });
  return {
    name: "handovers",
    serve: [serveHandovers(parts)],
    register: (hooks) =>
      hooks.register(handoverHandler({ noteSession: (session) => void handovers.noteSession(session) })),
  };
};

/** Sends an agent back to work that it left unverified, and has it sum up before its context is full. */
export const stopGateFeature: CreateFeature = (core) => ({
  name: "stop gate",
  register: (hooks) => {
    if (core === undefined) return;
    const { adviceOf, memory, settings, arms } = core;
    hooks.register(
      stopGateHandler({
        ...endedCallsOf(core),
        todosAfterRewind: (session) =>
          continuityOf.of(core)?.todosAfterRewind(session) ?? Promise.resolve(null),
        adviceOf,
        memory,
        mode: (session) => (arms.isObserving(session, "advice") ? "off" : settings.now().stopGate),
      }),
    );
  },
});
