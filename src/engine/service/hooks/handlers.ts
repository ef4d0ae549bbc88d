import type { Clock } from "../../base/timing/clock.ts";
import type { SessionMemory } from "../../base/per-session.ts";
import type { ToldSessions } from "../../context/reported/sessions.ts";
import { adviceHandler, type AdvicePorts } from "../../guard/advice/handler.ts";
import type { budgetHandler } from "../../guard/budgets/handler.ts";
import type { HookEvent } from "../../hooks/event/event.ts";
import type { HookProgram } from "../../hooks/program.ts";
import type { MessageGate } from "../../guard/messages/gate.ts";
import { rulesNudgeHandler } from "../../guard/rules/handler.ts";
import { newsOf } from "../../hooks/event/session-news.ts";
import { stopGateHandler } from "../../guard/stop-gate/stop-gate.ts";
import { turnCostHandler } from "../../guard/turn-costs/handler.ts";
import type { LedgerEntry } from "../../ledger/entries/entry.ts";
import type { HookDesk } from "../../hooks/dispatch.ts";
import type { LedgerKeeper } from "../ledger/host.ts";
import { PlanLimitNews } from "./plan-limits.ts";
import type { RulesNudge } from "../../rules/nudge.ts";
import type { SettingsKeeper } from "../settings-store.ts";
import type { TurnCosts } from "../../guard/turn-costs/reckoner.ts";

export interface HandlerParts {
  /** The settings at the time of a hook. */
  readonly settings: Pick<SettingsKeeper, "now" | "of">;
  readonly clock: Clock;
  /** What is remembered of sessions. */
  readonly memory: Pick<SessionMemory, "part">;
  readonly adviceOf: AdvicePorts["adviceOf"];
  readonly budgets: ReturnType<typeof budgetHandler> | undefined;
  readonly messages: Pick<MessageGate, "quick" | "waiting"> | undefined;
  readonly turnCosts: Pick<TurnCosts, "spentSince" | "usual" | "trajectory"> | undefined;
  readonly nudge: Pick<RulesNudge, "claimNow"> | undefined;
}

/** Registers all handlers of the service, in the order in which they are called. */
export function registerHandlers(
  desk: Pick<HookDesk, "register">,
  { settings, clock, memory, adviceOf, budgets, messages, turnCosts, nudge }: HandlerParts,
): void {
  if (budgets !== undefined) desk.register(budgets);
  if (messages !== undefined) {
    desk.register(messages.quick);
    desk.register(messages.waiting);
  }
  desk.register(
    adviceHandler({
      adviceOf,
      memory,
      isOn: (place) => settings.of(place).warnAgent,
      everyCalls: () => settings.now().warnEveryCalls,
      reminder: () => settings.now().totalTokensReminder,
      now: () => clock.now(),
    }),
  );
  desk.register(
    stopGateHandler({
      adviceOf,
      memory,
      mode: () => settings.now().stopGate,
      sumUpBelow: () => settings.now().sumUpBelow,
    }),
  );
  if (turnCosts !== undefined) {
    const { spentSince, usual, trajectory } = turnCosts;
    const isOn = () => settings.now().tellCostlyTurns;
    desk.register(turnCostHandler({ memory, isOn, now: () => clock.now(), spentSince, usual, trajectory }));
  }
  if (nudge !== undefined) desk.register(rulesNudgeHandler({ memory, claim: () => nudge.claimNow() }));
}

export interface Hearers {
  readonly told: Pick<ToldSessions, "hear">;
  readonly ledger: Pick<LedgerKeeper, "append">;
  readonly onProblem: (message: string) => void;
}

/** Passes on what hooks report: to live sessions before any handler is called, and plan limits to the ledger. */
export function tellingSessions({
  told,
  ledger,
  onProblem,
}: Hearers): (event: HookEvent, program: HookProgram, at: number) => void {
  const limits = new PlanLimitNews();
  const record = async (entries: readonly LedgerEntry[]) => {
    const done = await ledger.append(entries);
    if (done.ok) return;
    limits.forget();
    onProblem(`The ledger has not the plan's limits: ${done.detail}`);
  };
  return (event, program, at) => {
    // Live sessions exist only for Claude Code.
    const news = program === "claude-code" ? newsOf(event, at) : null;
    if (news === null) return;
    told.hear(news);
    const entries = limits.entriesOf(news);
    if (entries.length > 0) record(entries).catch((error: unknown) => onProblem(String(error)));
  };
}
