import type { SessionMemory } from "../../base/per-session.ts";
import { callGuardHandler } from "../calls/calls-handler.ts";
import { EffectWatch } from "../effect/watch-effect.ts";
import { factHandler } from "../facts/facts-handler.ts";
import type { GuardHitEntry } from "../hit-entry.ts";
import { SentAdvice, FindingDelivery } from "../delivery.ts";
import { limitHandler } from "../limits/limits-handler.ts";
import { outputGuardHandler } from "../output/output-handler.ts";
import { wasteHandlers } from "../waste/waste-handler.ts";
import { SessionWork, type WorkPorts } from "../work/work-handler.ts";
import { parametersOf } from "../work/parameters.ts";
import type { HookHandler } from "../../hooks/hooks-handler.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { HookService } from "../../hooks/dispatch.ts";
import { guardFamilies, type GuardFamily, type GuardMode } from "../../settings/guard.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { registerEndedCallGuards, type EndedCallGuards } from "./after-calls.ts";
import { earlyLoading } from "./early-loading.ts";
import type { createGuards } from "./guards.ts";

type Guards = ReturnType<typeof createGuards>;

/** What past sessions teach, as guards use it. */
export interface LearnedHints {
  /** How much a rule's advice has helped in a phase of work; 0 where that is unknown. */
  readonly helpOf: (rule: string, phase: string) => number;
  /** Makes the handler that answers prompts with what earlier sessions learned. */
  readonly promptHandler: (ports: {
    readonly delivery: FindingDelivery;
    readonly now: () => number;
    readonly record: (entries: readonly LedgerEntry[]) => void;
  }) => HookHandler<"SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse">;
}

export interface GuardParts {
  /** Guards that look at what is on disk now, or keep something there, may be left out. */
  readonly guards: Omit<Guards, "setWindow" | "trust" | "load" | "outputs" | "waste" | "facts"> &
    Partial<Pick<Guards, "outputs" | "waste" | "facts">>;
  readonly settings: Pick<SettingsStore, "of">;
  readonly memory: Pick<SessionMemory, "part">;
  readonly adviceOf: WorkPorts["adviceOf"];
  /** What past sessions teach; absent where the past itself is judged. */
  readonly learned?: LearnedHints | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Registers the guards on tool calls, in the order in which they are asked. Returns what other handlers ask them. */
export function registerGuards(
  hooks: Pick<HookService, "register">,
  { guards, settings, memory, adviceOf, learned, now }: GuardParts,
): EndedCallGuards {
  const { calls, outputs, waste, facts, isExcepted, isSilent } = guards;
  const modeOf = (family: GuardFamily, folder: string | null): GuardMode => {
    const { guardMode, guardFamilies: own } = settings.of(folder);
    return own[family] ?? guardMode;
  };
  const isAny = (folder: string | null, modes: readonly GuardMode[]) =>
    guardFamilies.some((family) => modes.includes(modeOf(family, folder)));
  const isOn = (folder: string | null) => isAny(folder, ["observe", "on"]);
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
  const effects = new EffectWatch({
    memory,
    now,
    isOn: (folder) => isAny(folder, ["on"]),
    record: guards.record,
  });
  const record = (entries: readonly GuardHitEntry[]) => {
    guards.record(entries);
    effects.note(entries);
  };
  const sent = new SentAdvice(memory);
  /** Ports of every guard that sends messages to agents. */
  const deliveryPorts = { modeOf, sent, isSilent, isExcepted, record, memory, now };
  const delivery = new FindingDelivery({
    ...deliveryPorts,
    budgetOf: (session) => work.budgetOf(session),
    ...(learned === undefined
      ? {}
      : { helpOf: (rule: string, session: string) => learned.helpOf(rule, work.of(session).phase) }),
  });
  const load = async (folder: string | null) => {
    await calls.judge({ kind: "command", command: "true", shell: "posix" }, calls.contextOf(folder));
    await guards.ended.read("true", folder, "posix");
    await facts?.load();
    await outputs?.load();
  };
  hooks.register(earlyLoading({ isOn, load, onProblem: guards.onProblem }));
  // Before all guards: they adapt to a session's work, and what they find about a call comes after the call itself.
  hooks.register(work.handler);
  hooks.register(effects.handler);
  if (outputs !== undefined)
    hooks.register(
      outputGuardHandler({
        ...deliveryPorts,
        ...outputs,
        hasRival: (program, folder, tool) =>
          !settings.of(folder).guardOutputsBesideHooks && outputs.hasRival(program, folder, tool),
        modeOf: (folder) => modeOf("output", folder),
      }),
    );
  hooks.register(callGuardHandler({ ...calls, ...deliveryPorts, isOn }));
  if (waste !== undefined) {
    const handlers = wasteHandlers({
      ...deliveryPorts,
      ...waste,
      delivery,
      modeOf: (folder) => modeOf("waste", folder),
    });
    hooks.register(handlers.calls);
    hooks.register(handlers.context);
    const isWanted = (folder: string | null) => settings.of(folder).guardAddLimits;
    hooks.register(
      limitHandler({ ...deliveryPorts, ...waste, isWanted, modeOf: (folder) => modeOf("waste", folder) }),
    );
  }
  if (facts !== undefined) hooks.register(factHandler({ ...facts, delivery }));
  if (learned !== undefined) hooks.register(learned.promptHandler({ delivery, now, record: guards.record }));
  const ended = registerEndedCallGuards(hooks, {
    ...guards.ended,
    delivery,
    memory,
    parametersOf: (session) => parametersOf(work.of(session)),
    modeOf: (folder) => modeOf("loops", folder),
  });
  return ended;
}
