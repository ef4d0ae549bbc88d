import { compose } from "../../base/text/sentence.ts";
import { fail, succeed } from "../../base/result.ts";
import { levelNames, type Budget, type LevelName } from "../budget.ts";
import type { Budgeted } from "../faults.ts";
import type { BudgetFilePorts } from "./convoys-store.ts";
import { listBudgets } from "./list.ts";
import type { Limit } from "../limit.ts";

/** A budget's limits, the narrowest first. */
function limitsOf({ convoyId, levels, warnPercent }: Budget): Limit[] {
  return levelNames.flatMap((level) => {
    const { [level]: configured } = levels;
    return configured === undefined ? [] : [{ ...configured, level, warnPercent, from: convoyId }];
  });
}

/** The limits of a call, and the budgets that assign tokens to convoys. */
export interface Limits {
  readonly limits: readonly Limit[];
  readonly budgets: readonly Budget[];
}

/**
 * Returns the limits of a convoy's calls: its own budget's, and the project limits of every budget of the project, since a convoy
 * without one spends the same project's tokens. So every file is read, and a damaged one fails all: it may be the one that limits.
 *
 * @param convoyId validated; null if a session belongs to no convoy
 */
export async function limitsFor(convoyId: string | null, ports: BudgetFilePorts): Promise<Budgeted<Limits>> {
  const budgets = await allBudgets(ports);
  if (!budgets.ok) return budgets;
  if (convoyId !== null && !budgets.value.some((budget) => budget.convoyId === convoyId)) {
    return fail(
      "not_found",
      compose`${convoyId} has no budget; create one with purser budget create ${convoyId}`,
    );
  }
  return succeed({ limits: limitsAmong(budgets.value, convoyId), budgets: budgets.value });
}

/** Selects the limits of a convoy's calls from all budgets of a project. */
export function limitsAmong(budgets: readonly Budget[], convoyId: string | null): Limit[] {
  const width = (level: LevelName) => levelNames.indexOf(level);
  const holds = (level: LevelName, from: string) => level === "project" || from === convoyId;
  const limits = budgets.flatMap(limitsOf).filter(({ level, from }) => holds(level, from));
  return limits.toSorted((one, other) => width(one.level) - width(other.level));
}

/** Reads all budgets of a project. Fails with the first that cannot be read. */
export async function allBudgets(ports: BudgetFilePorts): Promise<Budgeted<Budget[]>> {
  const listed = await listBudgets(ports);
  if (!listed.ok) return listed;
  const budgets: Budget[] = [];
  for (const { stored } of listed.value.budgets) {
    if (!stored.ok) return stored;
    budgets.push(stored.value.budget);
  }
  return succeed(budgets);
}
