import type {
  BudgetLevel,
  ConvoyBudget,
  ProjectBudgets,
} from "../../../src/engine/budgets/budgets-answers.ts";

/** Budgets as the service sends them; each test changes the parts under test. */

export function level(changes: Partial<BudgetLevel> = {}): BudgetLevel {
  const { amount = 500_000, used = 40_000, reserved = 0 } = changes;
  const percent = ((used + reserved) / amount) * 100;
  const state = percent > 100 ? "exceeded" : percent >= 80 ? "warning" : "ok";
  return {
    level: "convoy",
    who: "checkout",
    sessionId: null,
    agentType: null,
    period: "day",
    since: "2026-11-02",
    amount,
    unit: "tokens",
    unpriced: 0,
    used,
    reserved,
    percent,
    state,
    ...changes,
  };
}

/** The state of one agent's limit in a session. */
export function agent(who: string, changes: Partial<BudgetLevel> = {}): BudgetLevel {
  return level({ level: "agent", who, sessionId: "live", ...changes });
}

export function convoy(levels: readonly BudgetLevel[], convoyId = "checkout"): ConvoyBudget {
  return {
    convoyId,
    file: `/home/dev/harbor/.purser/budgets/${convoyId}.json`,
    warnPercent: 80,
    levels: [...levels],
  };
}

export function project(
  convoys: readonly ConvoyBudget[],
  changes: Partial<ProjectBudgets> = {},
): ProjectBudgets {
  return {
    folder: "/home/dev/harbor",
    project: "/home/dev/harbor",
    mode: "warn",
    convoys: [...convoys],
    faults: [],
    strays: [],
    notHeld: [],
    ...changes,
  };
}
