import { sentence } from "../../base/language.ts";
import { fail } from "../../base/result.ts";
import { usualPeriod, type LevelName } from "../budget.ts";
import type { Budgeted } from "../faults.ts";
import { loadBudget, saveBudget, type BudgetFilePorts, type StoredBudget } from "./convoys-store.ts";

/** Another process may change the same budget: then the limit is set in its version. */
const attempts = 20;

/**
 * Sets one limit of an existing budget and keeps its period.
 * @param limit tokens
 */
export async function setLimit(
  {
    convoyId,
    level,
    limit,
  }: { readonly convoyId: string; readonly level: LevelName; readonly limit: number },
  ports: BudgetFilePorts,
): Promise<Budgeted<StoredBudget>> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const loaded = await loadBudget(convoyId, ports);
    if (!loaded.ok) return loaded;
    const { budget, revision } = loaded.value;
    const period = budget.levels[level]?.period ?? usualPeriod(level);
    const changed = { ...budget, levels: { ...budget.levels, [level]: { limit, period } } };
    const saved = await saveBudget(changed, revision, ports);
    if (saved.ok || saved.reason !== "changed") return saved;
  }
  return fail("busy", sentence("others keep changing the budget of {0}; try again", convoyId));
}
