import type { BudgetFailure } from "../budget/budget-faults.ts";
import type { StoredBudget } from "../budget/budget-store.ts";
import type { BudgetReport } from "../budget/report.ts";
import type { BudgetJson } from "./budget-schema.ts";

/** A budget, and how it stands where that was asked. */
export interface ShownBudget extends Pick<StoredBudget, "budget" | "file"> {
  readonly report: BudgetReport | null;
}

/** What a word of `purser budget` found. */
export interface BudgetOutcome {
  readonly project: string;
  readonly budgets: readonly ShownBudget[];
  readonly faults: readonly BudgetFailure[];
}

export function budgetToJson({ project, budgets, faults }: BudgetOutcome): BudgetJson {
  return {
    schema: 1,
    project,
    budgets: budgets.map(shownToJson),
    faults: faults.map(({ reason, detail }) => ({ reason, detail })),
  };
}

function shownToJson({ budget, file, report }: ShownBudget): BudgetJson["budgets"][number] {
  const { session = null, agent = null, convoy = null, project = null } = budget.levels;
  return {
    convoyId: budget.convoyId,
    file,
    warnPercent: budget.warnPercent,
    levels: { session, agent, convoy, project },
    members: {
      branches: [...(budget.members?.branches ?? [])],
      sessions: [...(budget.members?.sessions ?? [])],
    },
    standings: report?.levels.map(standingToJson) ?? null,
    leases:
      report?.leases.map(({ id, agentId, sessionId, tokens, expiresAt }) => ({
        id,
        agentId,
        sessionId,
        tokens,
        expiresAt: new Date(expiresAt).toISOString(),
      })) ?? null,
  };
}

type Standing = NonNullable<BudgetJson["budgets"][number]["standings"]>[number];

function standingToJson({
  level,
  subject,
  runId,
  since,
  from,
  period,
  limit,
  used,
  reserved,
  remaining,
  over,
  usagePercent,
  verdict,
}: BudgetReport["levels"][number]): Standing {
  const who = { level, subject, runId, since, from, period };
  return { ...who, limit, used, reserved, remaining, over, usagePercent, verdict };
}
