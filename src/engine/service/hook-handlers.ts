import { handoverHandler } from "../continuity/handover/handler.ts";
import type { Handovers } from "../continuity/host/handover-host.ts";
import type { Clock } from "../base/timing/clock.ts";
import type { SessionMemory } from "../base/per-session.ts";
import type { HookSessions } from "../sessions/reported/sessions.ts";
import { adviceHandler, type AdvicePorts } from "../hooks/advice/handler.ts";
import type { budgetHandler } from "../budgets/hook/handler.ts";
import type { HookEvent } from "../hooks/event/event.ts";
import type { MessageGate } from "../hooks/messages/gate.ts";
import { rulesNudgeHandler } from "../rules/hook/handler.ts";
import { trialHandler, trialNotesHandler } from "../rules/trial/hook/handler.ts";
import { sessionReportOf } from "../hooks/event/session-report.ts";
import { stopGateHandler } from "../continuity/stop-gate/stop-gate.ts";
import { turnCostHandler } from "../rules/turn-costs/handler.ts";
import type { LedgerEntry } from "../ledger/entries/entry.ts";
import type { HookService } from "../hooks/dispatch.ts";
import type { LedgerHost } from "../ledger/host/host.ts";
import { noEndedCallGuards } from "../guard/host/after-calls.ts";
import { registerGuards, type GuardParts } from "../guard/host/register-guards.ts";
import { PlanLimitChanges } from "../ledger/host/plan-limits.ts";
import type { RulesNudge } from "../rules/nudge.ts";
import type { TrialAssignment } from "../rules/trial/assign.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { Continuity } from "../continuity/host/create.ts";
import type { TurnCosts } from "../rules/turn-costs/calculator.ts";

export interface HandlerParts {
  /** The settings at the time of a hook. */
  readonly settings: Pick<SettingsStore, "now" | "of">;
  readonly clock: Clock;
  /** What is remembered of sessions. */
  readonly memory: Pick<SessionMemory, "part">;
  readonly adviceOf: AdvicePorts["adviceOf"];
  readonly budgets: ReturnType<typeof budgetHandler> | undefined;
  readonly messages: Pick<MessageGate, "quick" | "waiting"> | undefined;
  readonly turnCosts: Pick<TurnCosts, "spentSince" | "usual" | "trajectory"> | undefined;
  readonly guards: GuardParts["guards"] | undefined;
  readonly nudge: Pick<RulesNudge, "claimNow"> | undefined;
  readonly continuity: Pick<Continuity, "register"> | undefined;
  readonly learned: GuardParts["learned"];
  readonly handovers: Pick<Handovers, "heard"> | undefined;
  readonly trials: Pick<TrialAssignment, "concerns" | "begin" | "prompts" | "cleared"> | undefined;
}

/** Registers all handlers of the service, in the order in which they are called. */
export function registerHandlers(
  hooks: Pick<HookService, "register">,
  {
    settings,
    clock,
    memory,
    adviceOf,
    budgets,
    messages,
    turnCosts,
    nudge,
    trials,
    guards,
    continuity,
    learned,
    handovers,
  }: HandlerParts,
): void {
  if (budgets !== undefined) hooks.register(budgets);
  if (messages !== undefined) {
    hooks.register(messages.quick);
    hooks.register(messages.waiting);
  }
  const ended =
    guards && registerGuards(hooks, { guards, memory, settings, adviceOf, learned, now: () => clock.now() });
  hooks.register(
    adviceHandler({
      adviceOf,
      memory,
      isOn: (folder) => settings.of(folder).warnAgent,
      everyCalls: () => settings.now().warnEveryCalls,
      reminder: () => settings.now().totalTokensReminder,
      now: () => clock.now(),
    }),
  );
  hooks.register(
    stopGateHandler({
      ...(ended ?? noEndedCallGuards),
      adviceOf,
      memory,
      mode: () => settings.now().stopGate,
      sumUpBelow: () => settings.now().sumUpBelow,
    }),
  );
  if (turnCosts !== undefined) {
    const { spentSince, usual, trajectory } = turnCosts;
    const isOn = () => settings.now().tellCostlyTurns;
    hooks.register(turnCostHandler({ memory, isOn, now: () => clock.now(), spentSince, usual, trajectory }));
  }
  if (nudge !== undefined) hooks.register(rulesNudgeHandler({ memory, claim: () => nudge.claimNow() }));
  continuity?.register(hooks);
  if (handovers !== undefined)
    hooks.register(handoverHandler({ heard: (session) => void handovers.heard(session) }));
  if (trials !== undefined) {
    hooks.register(trialHandler({ trials, now: () => clock.now() }));
    hooks.register(
      trialNotesHandler({ prompts: trials.prompts, cleared: (session) => trials.cleared(session) }),
    );
  }
}

export interface SessionReporterPorts {
  readonly hookSessions: Pick<HookSessions, "apply">;
  readonly ledger: Pick<LedgerHost, "append">;
  readonly onProblem: (message: string) => void;
}

/** Passes on what hooks report: to live sessions before any handler is called, and plan limits to the ledger. */
export function createSessionReporter({
  hookSessions,
  ledger,
  onProblem,
}: SessionReporterPorts): (event: HookEvent, at: number) => void {
  const limits = new PlanLimitChanges();
  const record = async (entries: readonly LedgerEntry[]) => {
    const done = await ledger.append(entries);
    if (done.ok) return;
    limits.forget();
    onProblem(`The ledger has not the plan's limits: ${done.detail}`);
  };
  return (event, at) => {
    const report = sessionReportOf(event, at);
    if (report === null) return;
    hookSessions.apply(report);
    const entries = limits.entriesOf(report);
    if (entries.length > 0) record(entries).catch((error: unknown) => onProblem(String(error)));
  };
}
