import type { SessionMemory } from "../../base/per-session.ts";
import { callGuardHandler } from "../../guard/calls/handler.ts";
import { outputGuardHandler } from "../../guard/output/handler.ts";
import { GuardVoice } from "../../guard/voice.ts";
import { wasteHandlers } from "../../guard/waste/handler.ts";
import { SessionWork, type WorkPorts } from "../../guard/work/handler.ts";
import { parametersOf } from "../../guard/work/parameters.ts";
import type { HookService } from "../../hooks/dispatch.ts";
import { guardFamilies, type GuardFamily, type GuardMode } from "../../settings/guard.ts";
import type { SettingsStore } from "../settings-store.ts";
import { registerEndedCallGuards, type EndedCallGuards } from "./after-calls.ts";
import type { createGuards } from "./guards.ts";

type Guards = ReturnType<typeof createGuards>;

export interface GuardParts {
  /** Guards that look at what is on disk now, or keep something there, may be left out. */
  readonly guards: Pick<Guards, "isExcepted" | "calls" | "ended" | "recordStates"> &
    Partial<Pick<Guards, "outputs" | "waste">>;
  readonly settings: Pick<SettingsStore, "of">;
  readonly memory: Pick<SessionMemory, "part">;
  readonly adviceOf: WorkPorts["adviceOf"];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Registers the guards on tool calls, in the order in which they are asked. Returns what other handlers ask them. */
export function registerGuards(
  hooks: Pick<HookService, "register">,
  { guards, settings, memory, adviceOf, now }: GuardParts,
): EndedCallGuards {
  const { calls, outputs, waste, isExcepted } = guards;
  const modeOf = (family: GuardFamily, folder: string | null): GuardMode => {
    const { guardMode, guardFamilies: own } = settings.of(folder);
    return own[family] ?? guardMode;
  };
  const isOn = (folder: string | null) => guardFamilies.some((family) => modeOf(family, folder) !== "off");
  const work = new SessionWork({
    memory,
    adviceOf,
    isOn,
    isCheck: guards.ended.isCheck,
    rootOf: (folder) => calls.contextOf(folder).project,
    loopOf: (session): string | null => ended.loopOf(session),
    record: guards.recordStates,
    now,
  });
  const voice = new GuardVoice({
    memory,
    modeOf,
    record: calls.record,
    isExcepted,
    budgetOf: (session) => work.budgetOf(session),
    now,
  });
  // Before the guards that adapt to it.
  hooks.register(work.handler);
  if (outputs !== undefined)
    hooks.register(
      outputGuardHandler({
        ...outputs,
        hasRival: (program, folder) =>
          !settings.of(folder).guardOutputsBesideHooks && outputs.hasRival(program, folder),
        modeOf: (folder) => modeOf("output", folder),
        now,
      }),
    );
  hooks.register(callGuardHandler({ ...calls, memory, now, modeOf, isOn }));
  if (waste !== undefined) {
    const ofWaste = (folder: string | null) => modeOf("waste", folder);
    const handlers = wasteHandlers({ ...waste, voice, memory, now, modeOf: ofWaste, isExcepted });
    hooks.register(handlers.calls);
    hooks.register(handlers.context);
  }
  const ended = registerEndedCallGuards(hooks, {
    ...guards.ended,
    voice,
    memory,
    parametersOf: (session) => parametersOf(work.of(session)),
    modeOf: (folder) => modeOf("loops", folder),
  });
  return ended;
}
