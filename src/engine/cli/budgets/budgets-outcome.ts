import type { BudgetFailure } from "../../budgets/budget.ts";
import type { StoredBudget, StrayFile } from "../../budgets/convoys.ts";
import type { BudgetReport } from "../../budgets/budget-report.ts";
import type { LevelState, LevelVerdict } from "../../budgets/check.ts";
import type { BudgetJson, LevelJson } from "./budgets-schema.ts";

export interface ShownBudget extends Pick<StoredBudget, "budget" | "file"> {
  readonly report: BudgetReport | null;
}

export interface BudgetOutcome {
  readonly project: string;
  readonly budgets: readonly ShownBudget[];
  readonly faults: readonly BudgetFailure[];
  readonly strays: readonly StrayFile[];
}

export function budgetToJson({ project, budgets, faults, strays }: BudgetOutcome): BudgetJson {
  return {
    schema: 3,
    project,
    budgets: budgets.map(shownToJson),
    faults: faults.map(({ reason, detail }) => ({ reason, detail })),
    strays: strays.map(({ file, detail }) => ({ file, detail })),
  };
}

function shownToJson({ budget, file, report }: ShownBudget): BudgetJson["budgets"][number] {
  const { session = null, agent = null, convoy = null, project = null } = budget.levels;
  return {
    convoyId: budget.convoyId,
    file,
    warnPercent: budget.warnPercent,
    createdAt: budget.createdAt ?? null,
    updatedAt: budget.updatedAt ?? null,
    levels: { session, agent, convoy, project },
    fanOut: budget.fanOut ?? null,
    members: {
      branches: [...(budget.members?.branches ?? [])],
      sessions: [...(budget.members?.sessions ?? [])],
    },
    standings: report?.levels.map(levelToJson) ?? null,
    leases:
      report?.leases.map(({ id, agentId, sessionId, tokens, usd = 0, credits = 0, expiresAt }) => ({
        id,
        agentId,
        sessionId,
        tokens,
        usd,
        credits,
        expiresAt: new Date(expiresAt).toISOString(),
      })) ?? null,
  };
}

export function levelToJson(state: LevelState & { readonly verdict: LevelVerdict }): LevelJson {
  const { level, subject, sessionId, agentType, runId, since, from, period, amount, unit, verdict } = state;
  const { used, unpriced, reserved, remaining, over, usagePercent } = state;
  const who = { level, subject, sessionId, agentType, runId, since, from, period };
  return { ...who, amount, unit, used, unpriced, reserved, remaining, over, usagePercent, verdict };
}
