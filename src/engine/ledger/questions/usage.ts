import { groupings } from "../../usage/groupings.ts";
import { isDayWithin } from "../../usage/local-day.ts";
import type { LedgerFilter } from "../answers.ts";
import type { LedgerBasis } from "../basis.ts";

/**
 * The groupings of the ledger's usage: those of `aggregateUsage`, also by coding agent, branch and subagent type, and
 * by tool, skill and MCP server. Each response is split evenly among its calls of those.
 */
export const ledgerGroupings = [
  ...groupings,
  "agent",
  "branch",
  "subagent",
  "tool",
  "skill",
  "server",
] as const;
export type LedgerGrouping = (typeof ledgerGroupings)[number];

/** In local days of this machine. A null or missing member sets no limit. */
export interface UsageQuery {
  readonly by: LedgerGrouping;
  readonly since: string | null;
  readonly until: string | null;
  /** A folder of the project: its worktrees and subfolders count too. */
  readonly project?: string | null;
  /** The coding agent: `claude-code`, `codex`, … */
  readonly program?: string | null;
}

/** Decides which parts of a session pass a filter. */
export interface FilterPredicates {
  /** Whether a session of this program can pass at all. */
  isProgram(program: string | null): boolean;
  isProject(cwd: string | null): boolean;
  isDay(day: string | null): boolean;
}

export function predicatesOf(
  { since, until, project = null, program = null }: Partial<LedgerFilter>,
  { projectOf }: Pick<LedgerBasis, "projectOf">,
): FilterPredicates {
  const limits = { since: since ?? null, until: until ?? null };
  const wanted = project === null ? null : projectOf(project);
  return {
    isProgram: (each) => program === null || each === program,
    isProject: (cwd) => wanted === null || (cwd !== null && projectOf(cwd) === wanted),
    isDay: (day) => isDayWithin(day, limits),
  };
}
