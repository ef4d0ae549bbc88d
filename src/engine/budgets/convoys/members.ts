import { sentence } from "../../base/text/sentence.ts";
import { fail } from "../../base/result.ts";
import { maxMembers, type Members } from "../budget.ts";
import type { Budgeted } from "../faults.ts";
import { loadBudget, saveBudget, type BudgetFilePorts, type StoredBudget } from "./convoys-store.ts";
import { listBudgets } from "./list.ts";

/** Another process may change the same budget: then the change is applied to its version. */
const attempts = 20;

/** Adds a session to a convoy, whatever its branch, and removes it from all others: a session belongs to one at a time. */
export async function joinConvoy(
  convoyId: string,
  sessionId: string,
  ports: BudgetFilePorts,
): Promise<Budgeted<StoredBudget>> {
  const joined = await changeSessions(convoyId, ports, (sessions) =>
    // Drops the sessions that joined first: they are over.
    [...sessions.filter((id) => id !== sessionId), sessionId].slice(-maxMembers.sessions),
  );
  if (!joined.ok) return joined;
  const listed = await listBudgets(ports);
  if (!listed.ok) return listed;
  for (const { stored } of listed.value.budgets) {
    if (!stored.ok || stored.value.budget.convoyId === convoyId) continue;
    const { budget } = stored.value;
    if (budget.members?.sessions?.includes(sessionId) !== true) continue;
    const left = await leaveConvoy(budget.convoyId, sessionId, ports);
    if (!left.ok) return left;
  }
  return joined;
}

/** Removes a session that was added to a convoy. On the convoy's branch it still belongs to it. */
export function leaveConvoy(
  convoyId: string,
  sessionId: string,
  ports: BudgetFilePorts,
): Promise<Budgeted<StoredBudget>> {
  return changeSessions(convoyId, ports, (sessions) => sessions.filter((id) => id !== sessionId));
}

async function changeSessions(
  convoyId: string,
  ports: BudgetFilePorts,
  change: (sessions: readonly string[]) => readonly string[],
): Promise<Budgeted<StoredBudget>> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const loaded = await loadBudget(convoyId, ports);
    if (!loaded.ok) return loaded;
    const { budget, revision } = loaded.value;
    const before = budget.members?.sessions ?? [];
    const sessions = change(before);
    if (sessions.join("\n") === before.join("\n")) return loaded;
    const { schema, levels, warnPercent } = budget;
    const members = membersOf({ branches: budget.members?.branches ?? [], sessions });
    const saved = await saveBudget({ schema, convoyId, levels, warnPercent, ...members }, revision, ports);
    if (saved.ok || saved.reason !== "changed") return saved;
  }
  return fail("busy", sentence("others keep changing the budget of {0}; try again", convoyId));
}

/** Returns members in the form of a budget's file: empty lists are left out. */
export function membersOf({
  branches,
  sessions,
}: Readonly<Record<"branches" | "sessions", readonly string[]>>): { members?: Members } {
  const members = {
    ...(branches.length === 0 ? {} : { branches: [...branches] }),
    ...(sessions.length === 0 ? {} : { sessions: [...sessions] }),
  };
  return Object.keys(members).length === 0 ? {} : { members };
}
