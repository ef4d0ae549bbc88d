import { groupings } from "../../usage/groupings.ts";
import { isDayWithin } from "../../usage/local-day.ts";
import type { LedgerFilter } from "../answers.ts";

/**
 * What the ledger's usage can be by: as `aggregateUsage`, and by the coding agent, branch, subagent's type, and by tool,
 * skill and MCP server, among whose calls each response is shared out evenly.
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

/** By the local days of this machine. What is left out is no limit. */
export interface UsageQuery {
  readonly by: LedgerGrouping;
  readonly since: string | null;
  readonly until: string | null;
  /** The folder a response was made in. */
  readonly project?: string | null;
  /** The coding agent: `claude-code`, `codex`, … */
  readonly program?: string | null;
}

/** What of a session a filter lets through. */
export interface Sieve {
  /** All of a session whose program this is may be let through. */
  isProgram(program: string | null): boolean;
  isProject(cwd: string | null): boolean;
  isDay(day: string | null): boolean;
}

export function sieveOf({ since, until, project = null, program = null }: Partial<LedgerFilter>): Sieve {
  const limits = { since: since ?? null, until: until ?? null };
  return {
    isProgram: (each) => program === null || each === program,
    isProject: (cwd) => project === null || cwd === project,
    isDay: (day) => isDayWithin(day, limits),
  };
}
