import type { SessionMemory } from "../../base/per-session.ts";
import type { HookService } from "../../hooks/dispatch.ts";
import type { GuardArms } from "../../hooks/feature.ts";
import { type HookHandler, defaultHookContext } from "../../hooks/hooks-handler.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { guardFamilies, modeOf as modeIn, type GuardMode } from "../../settings/guard.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { callGuardHandler } from "../calls/calls-handler.ts";
import { changedScriptHandler } from "../calls/changed-scripts.ts";
import { SentAdvice, FindingDelivery, type DeliveryPorts } from "../delivery.ts";
import { EffectWatch } from "../effect/watch-effect.ts";
import { factHandler } from "../facts/facts-handler.ts";
import type { GuardHitEntry } from "../hit-entry.ts";
import { FollowUps } from "../output/follow-ups.ts";
import { outputGuardHandler } from "../output/output-handler.ts";
import { limitHandler } from "../waste/limits-handler.ts";
import { wasteHandlers } from "../waste/waste-handler.ts";
import { parametersOf } from "../work/measures.ts";
import { SessionWork, type WorkPorts } from "../work/work-handler.ts";
import { registerEndedCallGuards, type EndedCallGuards } from "./after-calls.ts";
import type { createGuards } from "./guards.ts";

type Guards = ReturnType<typeof createGuards>;

/** Lessons from past sessions. */
export interface LearnedHints {
  /** How much a rule's advice has helped in a phase of work; 0 if unknown. */
  readonly helpOf: (rule: string, phase: string) => number;
  /** Creates the handler that answers prompts with lessons from earlier sessions. */
  readonly promptHandler: (ports: {
    readonly delivery: FindingDelivery;
    readonly now: () => number;
    readonly record: (entries: readonly LedgerEntry[]) => void;
  }) => HookHandler<"SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse">;
}

interface GuardParts {
  /** Guards that use the disk are optional. */
  readonly guards: Omit<Guards, "setWindow" | "trust" | "prepare" | "load" | "outputs" | "waste" | "facts"> &
    Partial<Pick<Guards, "outputs" | "waste" | "facts">>;
  readonly settings: Pick<SettingsStore, "of">;
  readonly memory: Pick<SessionMemory, "part">;
  readonly adviceOf: WorkPorts["adviceOf"];
  /** Absent during a replay. */
  readonly learned?: LearnedHints | undefined;
  /** Absent during a replay. */
  readonly arms?: Pick<GuardArms, "isObserving"> | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Registers the guards on tool calls, in the order of their answers. Returns what other handlers ask them. */
export function registerGuards(
  hooks: Pick<HookService, "register">,
  { guards, settings, memory, adviceOf, learned, arms, now }: GuardParts,
): EndedCallGuards {
  const { calls, outputs, waste, facts, isExcepted, isSilent } = guards;
  const modeOf: DeliveryPorts["modeOf"] = (family, folder, session) => {
    const mode = modeIn(family, settings.of(folder));
    return mode === "on" && session !== null && arms?.isObserving(session, family) === true
      ? "observe"
      : mode;
  };
  const isAny = (folder: string | null, modes: readonly GuardMode[]) =>
    guardFamilies.some((family) => modes.includes(modeIn(family, settings.of(folder))));
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
  // Before all guards, which adapt to a session's work. A finding about a call follows the call itself.
  hooks.register(work.handler);
  hooks.register(effects.handler);
  if (outputs !== undefined) {
    const followUps = new FollowUps({
      ...outputs,
      memory,
      now,
      isOn: (folder) => modeIn("output", settings.of(folder)) !== "off",
      record: guards.record,
    });
    // Before an output of the same call is shortened.
    hooks.register(followUps.handler);
    hooks.register(
      outputGuardHandler({
        ...deliveryPorts,
        ...outputs,
        isResting: guards.isResting,
        onMade: (event, made) => followUps.made(event, made),
        hasRival: (program, folder, tool) =>
          !settings.of(folder).guardOutputsBesideHooks && outputs.hasRival(program, folder, tool),
        modeOf: (folder, session) => modeOf("output", folder, session),
      }),
    );
  }
  hooks.register(callGuardHandler({ ...calls, ...deliveryPorts, isOn }));
  hooks.register(changedScriptHandler({ ...calls, ...deliveryPorts, isOn }));
  if (waste !== undefined) {
    const handlers = wasteHandlers({
      ...deliveryPorts,
      ...waste,
      delivery,
      modeOf: (folder, session) => modeOf("waste", folder, session),
    });
    hooks.register(handlers.calls);
    hooks.register(handlers.context);
    const isWanted = (folder: string | null) => settings.of(folder).guardAddLimits;
    hooks.register(
      limitHandler({
        ...deliveryPorts,
        ...waste,
        isWanted,
        modeOf: (folder, session) => modeOf("waste", folder, session),
      }),
    );
  }
  if (facts !== undefined) hooks.register(factHandler({ ...facts, delivery }));
  if (learned !== undefined) hooks.register(learned.promptHandler({ delivery, now, record: guards.record }));
  const ended = registerEndedCallGuards(hooks, {
    ...guards.ended,
    delivery,
    memory,
    parametersOf: (session) => parametersOf(work.of(session)),
    modeOf: (folder, session) => modeOf("loops", folder, session),
  });
  return ended;
}

interface LoadingPorts {
  readonly isOn: (folder: string | null) => boolean;
  readonly load: (folder: string | null) => Promise<void>;
  readonly onProblem: (message: string) => void;
}

/** Delay of loading, in which the answer is sent. Milliseconds. */
const afterAnswer = 20;

/**
 * Loads the guards' code when a session starts or its user asks something, so that the first tool call is judged in time.
 * Without sessions the service does not hold that code.
 */
export function earlyLoading({
  isOn,
  load,
  onProblem,
}: LoadingPorts): HookHandler<"SessionStart" | "UserPromptSubmit"> {
  let isLoading = false;
  return {
    name: "guard-loading",
    events: ["SessionStart", "UserPromptSubmit"],
    budget: 10,
    answer: ({ cwd: folder = null }, { answered } = defaultHookContext) => {
      if (isLoading || !isOn(folder)) return null;
      isLoading = true;
      const begin = () => {
        load(folder).catch((error: unknown) => {
          isLoading = false;
          onProblem(`The guards' code was not loaded: ${String(error)}`);
        });
      };
      void answered.then(() => setTimeout(begin, afterAnswer).unref());
      return null;
    },
  };
}
