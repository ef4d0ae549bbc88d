import { endedCallsOf } from "../../guard/feature.ts";
import { continuityOf } from "../feature/feature.ts";
import type { CreateFeature } from "../../hooks/feature.ts";
import { stopGateHandler } from "./stop-gate.ts";

/** Sends an agent back to work that it left unverified, and has it sum up before its context is full. */
export const stopGateFeature: CreateFeature = (core) => ({
  name: "stop gate",
  register: (hooks) => {
    if (core === undefined) return;
    const { adviceOf, memory, settings } = core;
    hooks.register(
      stopGateHandler({
        ...endedCallsOf(core),
        todosAfterRewind: (session) =>
          continuityOf.of(core)?.todosAfterRewind(session) ?? Promise.resolve(null),
        adviceOf,
        memory,
        mode: () => settings.now().stopGate,
        sumUpBelow: () => settings.now().sumUpBelow,
      }),
    );
  },
});
