import { fail } from "../../base/result.ts";
import { largestMembers, type Members } from "../budget.ts";
import type { Budgeted } from "../faults.ts";
import { loadBudget, saveBudget, type BudgetFilePorts, type StoredBudget } from "./store.ts";
import { listBudgets } from "./list.ts";

/** Somebody else may change the same budget: then the change is made to theirs. */
const attempts = 20;

/** Puts a session into a convoy, whatever branch it is on, and takes it out of all others: a session is of one at a time. */
export async function joinConvoy(
  convoyId: string,
  sessionId: string,
  ports: BudgetFilePorts,
): Promise<Budgeted<StoredBudget>> {
  const joined = await changeSessions(convoyId, ports, (sessions) =>
    // Who joined first is forgotten first: such sessions are over.
    [...sessions.filter((id) => id !== sessionId), sessionId].slice(-largestMembers.sessions),
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

/** Takes a session out of a convoy that it was put into. On the convoy's branch it stays of it. */
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
  return fail("busy", `others keep changing the budget of ${convoyId}; try again`);
}

/** As a budget's file has them: what is empty is not there. */
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
