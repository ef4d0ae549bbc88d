import { sentence, compose } from "../../base/language.ts";
import { fail, succeed } from "../../base/result.ts";
import {
  maxMembers,
  type Members,
  levelNames,
  type Budget,
  type Level,
  type LevelName,
  type Limit,
  usualPeriod,
} from "../budget.ts";
import type { Budgeted } from "../faults.ts";
import { loadBudget, saveBudget, type BudgetFilePorts, type StoredBudget } from "./convoys-store.ts";
import { listBudgets } from "./list.ts";

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

function changeSessions(
  convoyId: string,
  ports: BudgetFilePorts,
  change: (sessions: readonly string[]) => readonly string[],
): Promise<Budgeted<StoredBudget>> {
  return changeBudget(convoyId, ports, ({ members = {}, ...budget }) => {
    const before = members.sessions ?? [];
    const sessions = change(before);
    if (sessions.join("\n") === before.join("\n")) return null;
    return { ...budget, ...membersOf({ branches: members.branches ?? [], sessions }) };
  });
}

/** Applies a change to the version of another process if that was faster. Null leaves the budget as it is. */
async function changeBudget(
  convoyId: string,
  ports: BudgetFilePorts,
  change: (budget: Budget) => Budget | null,
): Promise<Budgeted<StoredBudget>> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const loaded = await loadBudget(convoyId, ports);
    if (!loaded.ok) return loaded;
    const changed = change(loaded.value.budget);
    if (changed === null) return loaded;
    const saved = await saveBudget(changed, loaded.value.revision, ports);
    if (saved.ok || saved.reason !== "changed") return saved;
  }
  return fail("busy", sentence("others keep changing the budget of {0}; try again", convoyId));
}

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

function limitsOf({ convoyId, levels, warnPercent }: Budget): Limit[] {
  return levelNames.flatMap((level) => {
    const { [level]: configured } = levels;
    return configured === undefined ? [] : [{ ...configured, level, warnPercent, from: convoyId }];
  });
}

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

interface Whereabouts {
  readonly sessionId: string;
  /** The branch checked out there; for a subagent in its own worktree, followed by its session's. Null if unknown. */
  readonly branches: readonly (string | null)[];
}

/**
 * Returns the convoy that a session belongs to, or null. A budget that lists the session wins; then one that lists its branch, then
 * one with a matching pattern, the longest first; then one named like the branch: `feature/checkout` belongs to `feature-checkout`. So
 * agents on one branch are a convoy as soon as there is a budget of that name. A budget for `*` gets all the rest, even without a
 * branch.
 */
export function convoyOf(budgets: readonly Budget[], { sessionId, branches }: Whereabouts): string | null {
  const inOrder = budgets.toSorted((one, other) => (one.convoyId < other.convoyId ? -1 : 1));
  const named = inOrder.find(({ members }) => members?.sessions?.includes(sessionId) === true);
  if (named !== undefined) return named.convoyId;
  for (const branch of branches) {
    const found = branch === null ? null : convoyOfBranch(inOrder, branch);
    if (found !== null) return found;
  }
  // Outside of a repository there is no branch; `*` matches that too.
  return inOrder.find(({ members }) => members?.branches?.includes("*") === true)?.convoyId ?? null;
}

function convoyOfBranch(budgets: readonly Budget[], branch: string): string | null {
  const patterns = budgets.flatMap(({ convoyId, members }) =>
    (members?.branches ?? []).map((pattern) => ({ convoyId, pattern })),
  );
  const exact = patterns.find(({ pattern }) => pattern === branch);
  if (exact !== undefined) return exact.convoyId;
  const [longest] = patterns
    .filter(({ pattern }) => fits(branch, pattern))
    .toSorted((one, other) => other.pattern.length - one.pattern.length);
  if (longest !== undefined) return longest.convoyId;
  const id = convoyIdOf(branch);
  return budgets.find(({ convoyId }) => convoyId === id)?.convoyId ?? null;
}

export function convoyIdOf(branch: string): string {
  return branch.toLowerCase().replaceAll(/[^a-z0-9_-]+/gu, "-");
}

/** Matches a text against a pattern in which `*` stands for anything. Not a regular expression, since some take for ever. */
function fits(text: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined || !text.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const index = text.indexOf(part, from);
    if (index < 0) return false;
    from = index + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

/** Sets one limit of an existing budget and keeps its period. */
export function setLimit(
  { convoyId, level, ...limit }: NewLimit,
  ports: BudgetFilePorts,
): Promise<Budgeted<StoredBudget>> {
  return changeBudget(convoyId, ports, (budget) => {
    const period = budget.levels[level]?.period ?? usualPeriod(level);
    return { ...budget, levels: { ...budget.levels, [level]: { ...limit, period } } };
  });
}

export interface NewLimit extends Pick<Level, "amount" | "unit"> {
  readonly convoyId: string;
  readonly level: LevelName;
}
