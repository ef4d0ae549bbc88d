import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import type { ProjectBudgets } from "../../engine/budgets/budgets-answers.ts";

/** Agents working on one branch of a project. */
export interface CompanionAgents {
  readonly project: string;
  /** The window's folder. */
  readonly folder: string;
  /** Null outside a repository. */
  readonly branch: string | null;
  readonly sessionIds: readonly string[];
  /** Main agents and running subagents. */
  readonly count: number;
  /** The existing budgets. */
  readonly convoyIds: readonly string[];
}

type Working = Pick<SessionSnapshot, "id" | "live" | "folder" | "branch" | "lastActivity"> & {
  readonly subagents: readonly Pick<SessionSnapshot["subagents"][number], "running">[];
};

/** An open session idle for longer than this does not count as working. Milliseconds. */
const atWork = 10 * 60_000;
/**
 * One main agent with one helper is an agent's normal way of working; two main agents, or three agents, were set to work
 * together.
 */
const [minSessions, minAgents] = [2, 3];

/** Finds places where several agents work at once, in folders with known budgets. */
export function companionAgents(
  sessions: readonly Working[],
  projects: readonly ProjectBudgets[],
  now: number,
): CompanionAgents[] {
  const found = new Map<string, CompanionAgents>();
  for (const { id, live, folder, branch, lastActivity, subagents } of sessions) {
    const of = projects.find((each) => each.folder === folder);
    if (!live || of === undefined || of.mode === "off" || (lastActivity ?? 0) < now - atWork) continue;
    const { project } = of;
    const key = JSON.stringify([project, branch]);
    const none = { project, folder: of.folder, branch, sessionIds: [], count: 0 };
    const before = found.get(key) ?? { ...none, convoyIds: of.convoys.map(({ convoyId }) => convoyId) };
    const count = before.count + 1 + subagents.filter(({ running }) => running).length;
    found.set(key, { ...before, sessionIds: [...before.sessionIds, id], count });
  }
  return [...found.values()].filter(
    ({ sessionIds, count }) => sessionIds.length >= minSessions || count >= minAgents,
  );
}
