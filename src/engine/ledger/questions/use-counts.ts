import { maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { groupings } from "../../usage/sum.ts";
import { isDayWithin } from "../../usage/local-day.ts";
import type { LedgerFilter } from "../ledger-answers.ts";
import type { LedgerBasis } from "../basis.ts";

/** How often something was used in a folder. */
export interface FolderCount {
  /** The session's folder, or null if not reported. */
  readonly cwd: string | null;
  /** The coding agent for sessions, the type for subagents, the name for skills. */
  readonly name: string;
  readonly count: number;
}

/** How often the user's files were added to contexts, as far as sessions report it. */
export interface UseCounts {
  /** Active sessions. */
  readonly sessions: readonly FolderCount[];
  /** Subagents of these sessions. */
  readonly subagents: readonly FolderCount[];
  /** Calls of skills. */
  readonly skills: readonly FolderCount[];
}

/**
 * Leaves out bench sessions, which are in none of the user's folders and have no coding agent here. @param since
 * milliseconds since the epoch
 */
export function selectUseCounts(db: Database, since: number): UseCounts {
  const counted = (sql: string) =>
    db.rows(sql, [since], ([cwd, name, count]) => ({
      cwd: maybeTextIn(cwd),
      name: textIn(name),
      count: numberIn(count),
    }));
  return {
    sessions: counted(
      `SELECT cwd, program, count(*) FROM sessions
       WHERE last_at >= ? AND program IS NOT NULL AND sessions.machine = '' GROUP BY cwd, program ORDER BY cwd, program`,
    ),
    subagents: counted(
      `SELECT cwd, type, count(*) FROM subagents JOIN sessions ON sessions.id = subagents.session_id
       WHERE last_at >= ? AND type IS NOT NULL AND sessions.machine = '' GROUP BY cwd, type ORDER BY cwd, type`,
    ),
    skills: counted(
      `SELECT cwd, skill, count(*) FROM tool_calls JOIN sessions ON sessions.id = tool_calls.session_id
       WHERE at >= ? AND skill IS NOT NULL AND sessions.machine = '' GROUP BY cwd, skill ORDER BY cwd, skill`,
    ),
  };
}

export interface LastHook {
  readonly program: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Leaves out hooks from the spool, which were not answered.
 *
 * @param since milliseconds since the epoch
 */
export function selectLastHooks(db: Database, since: number): LastHook[] {
  return db.rows(
    `SELECT program, max(at) FROM hook_events JOIN sessions ON sessions.id = session_id
     WHERE at >= ?1 AND duration_ms IS NOT NULL AND program IS NOT NULL GROUP BY program ORDER BY program`,
    [since],
    (cells) => ({ program: textIn(cells[0]), at: numberIn(cells[1]) }),
  );
}

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
  "machine",
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
  /** A machine's label or id. */
  readonly machine?: string | null | undefined;
}

/** Decides which parts of a session pass a filter. */
export interface FilterPredicates {
  /** Whether a session of this program can pass at all. */
  isProgram(program: string | null): boolean;
  isProject(cwd: string | null): boolean;
  isDay(day: string | null): boolean;
  /** @param machine an id; empty for this machine */
  isMachine(machine: string): boolean;
}

/** @param filter with a machine's id, see `machineIdOf` */
export function predicatesOf(
  { since, until, project = null, program = null, machine = null }: Partial<LedgerFilter>,
  { projectOf }: Pick<LedgerBasis, "projectOf">,
): FilterPredicates {
  const limits = { since: since ?? null, until: until ?? null };
  const wanted = project === null ? null : projectOf(project);
  return {
    isProgram: (each) => program === null || each === program,
    isProject: (cwd) => wanted === null || (cwd !== null && projectOf(cwd) === wanted),
    isDay: (day) => isDayWithin(day, limits),
    isMachine: (id) => machine === null || id === machine,
  };
}
