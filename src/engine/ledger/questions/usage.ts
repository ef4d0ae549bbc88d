import { groupings } from "../../usage/groupings.ts";
import { isDayWithin } from "../../usage/local-day.ts";
import type { LedgerFilter } from "../answers.ts";

/**
 * The groupings of the ledger's usage: those of `aggregateUsage`, also by coding agent, branch and subagent type, and
 * by tool, skill and MCP server, among whose calls each response is split evenly.
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

/** In local days of this machine. What is null or left out sets no limit. */
export interface UsageQuery {
  readonly by: LedgerGrouping;
  readonly since: string | null;
  readonly until: string | null;
  /** The folder of a response. */
  readonly project?: string | null;
  /** The coding agent: `claude-code`, `codex`, … */
  readonly program?: string | null;
}

/** What part of a session passes a filter. */
export interface FilterPredicates {
  /** Whether a session of this program can pass at all. */
  isProgram(program: string | null): boolean;
  isProject(cwd: string | null): boolean;
  isDay(day: string | null): boolean;
}

export function predicatesOf({
  since,
  until,
  project = null,
  program = null,
}: Partial<LedgerFilter>): FilterPredicates {
  const limits = { since: since ?? null, until: until ?? null };
  return {
    isProgram: (each) => program === null || each === program,
    isProject: (cwd) => project === null || cwd === project,
    isDay: (day) => isDayWithin(day, limits),
  };
}
