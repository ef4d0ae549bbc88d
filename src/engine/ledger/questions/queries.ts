import { ascending, median, nearestRank } from "../../base/numbers.ts";
import type { SqlValue } from "sql.js";
import type { ApiResponse } from "../../usage/api-response.ts";
import type { ScannedCompaction } from "../../sessions/learn.ts";
import type { Overview, SessionPlace, SessionSummary } from "../ledger-answers.ts";
import { flagIn, maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import { detailColumns, detailsIn, usageColumns, usageIn } from "../store/counted-row.ts";
import { type LedgerBasis, foldersOfProject } from "../basis.ts";
import type { Database } from "../store/database.ts";
import { completedRealWork } from "../store/run-conditions.ts";
import {
  afterFacts,
  factColumns,
  factsIn,
  readSessionFacts,
  type SessionFacts,
} from "../store/session-facts.ts";
import type { Sum } from "../../usage/sum.ts";

export interface LedgerSession extends SessionFacts {
  /** Number of counted responses. */
  readonly responses: number;
}

export interface SessionFilter {
  /** Only sessions active at or after, and before, these times. Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
  /** Only sessions that began in this folder's project. */
  readonly cwd?: string;
  /** Maximum sessions to return. Default: all. */
  readonly limit?: number;
}

/** Most recently active first; sessions without a readable time come last. */
export function selectSessions(
  db: Database,
  filter: SessionFilter,
  basis: Pick<LedgerBasis, "projectOf">,
): LedgerSession[] {
  const { since = null, until = null, cwd = null, limit = -1 } = filter;
  return db.rows(
    `SELECT ${factColumns},
       (SELECT count(*) FROM responses WHERE session_id = sessions.id AND is_counted = 1)
     FROM sessions
     WHERE (?1 IS NULL OR last_at >= ?1) AND (?2 IS NULL OR first_at < ?2) AND (?3 IS NULL OR cwd IN (SELECT value FROM json_each(?3)))
     ORDER BY last_at DESC, id LIMIT ?4`,
    [since, until, foldersOfProject(db, { project: cwd, column: "sessions.cwd" }, basis), limit],
    (cells) => ({ ...factsIn(cells), responses: numberIn(cells[afterFacts]) }),
  );
}

export function selectSessionPlace(db: Database, id: string): SessionPlace | null {
  const facts = readSessionFacts(db, id).get(id);
  return facts === undefined ? null : { cwd: facts.cwd, branch: facts.branch };
}

export interface LedgerResponse extends ApiResponse {
  readonly agentId: string | null;
  readonly branch: string | null;
  /** The agent's own counters as JSON text, where they differ from `usage`. */
  readonly raw: string | null;
}

export function selectResponses(db: Database, sessionId: string): LedgerResponse[] {
  return db.rows(
    `SELECT message_id, request_id, session_id, agent_id, model, at, cwd, branch, is_sidechain,
       ${usageColumns}, raw, ${detailColumns}
     FROM responses WHERE session_id = ? AND is_counted = 1 ORDER BY at, rowid`,
    [sessionId],
    (cells) => ({
      messageId: textIn(cells[0]),
      requestId: maybeTextIn(cells[1]),
      sessionId: textIn(cells[2]),
      agentId: maybeTextIn(cells[3]),
      model: textIn(cells[4]),
      at: maybeNumberIn(cells[5]),
      cwd: maybeTextIn(cells[6]),
      branch: maybeTextIn(cells[7]),
      isSidechain: flagIn(cells[8]),
      usage: usageIn(cells, 9),
      raw: maybeTextIn(cells[14]),
      ...detailsIn(cells, 15),
    }),
  );
}

/**
 * Automatic compactions in main chains of Claude Code. The ledger does not store the windows that other agents name.
 */
export function selectClaudeCompactions(db: Database): ScannedCompaction[] {
  return db.rows(
    `SELECT model, long_context, pre_tokens, at,
       (SELECT max(r.at) FROM responses r WHERE r.session_id = compactions.session_id AND r.agent_id IS NULL
          AND r.is_sidechain = 0 AND r.at <= compactions.at)
     FROM compactions
     WHERE "trigger" = 'auto' AND is_sidechain = 0 AND model IS NOT NULL AND pre_tokens IS NOT NULL
       AND session_id NOT IN (SELECT id FROM sessions WHERE program <> 'claude-code')`,
    [],
    (cells) => ({
      model: textIn(cells[0]),
      long: flagIn(cells[1]),
      preTokens: numberIn(cells[2]),
      at: maybeNumberIn(cells[3]),
      answeredAt: maybeNumberIn(cells[4]),
    }),
  );
}

/** How far a transcript has been read. */
export interface FilePosition {
  readonly path: string;
  readonly identity: string;
  /** Bytes. */
  readonly offset: number;
  readonly size: number | null;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number | null;
  readonly state: string | null;
}

/** Marks the word in a position's identity that counts the rows that were too long to read. */
export const leftOutMark = "left-out=";

/** The part of a position that shows whether a file has changed, and whether all of it was read. */
export interface ReadFile extends Pick<FilePosition, "size" | "modifiedAt"> {
  readonly leavesRowsOut: boolean;
}

/** Positions by path. Their readers' states, which may be large, are left out as null. */
export function selectPositions(db: Database): ReadonlyMap<string, FilePosition> {
  const select = "SELECT path, identity, offset, size, modified_at, NULL FROM positions";
  const positions = db.rows(select, [], positionIn);
  return new Map(positions.map((position) => [position.path, position]));
}

export function selectPosition(db: Database, path: string): FilePosition | null {
  const select = "SELECT path, identity, offset, size, modified_at, state FROM positions WHERE path = ?";
  return db.first(select, [path], positionIn) ?? null;
}

export function selectReadFiles(db: Database): ReadonlyMap<string, ReadFile> {
  return new Map(
    db.rows(
      "SELECT path, size, modified_at, identity FROM positions",
      [],
      ([path, size, modifiedAt, identity]) => [
        textIn(path),
        {
          size: maybeNumberIn(size),
          modifiedAt: maybeNumberIn(modifiedAt),
          leavesRowsOut: textIn(identity).includes(leftOutMark),
        },
      ],
    ),
  );
}

function positionIn(cells: readonly SqlValue[]): FilePosition {
  return {
    path: textIn(cells[0]),
    identity: textIn(cells[1]),
    offset: numberIn(cells[2]),
    size: maybeNumberIn(cells[3]),
    modifiedAt: maybeNumberIn(cells[4]),
    state: maybeTextIn(cells[5]),
  };
}

/** Selects an agent's runs; null for any model. */
export interface RunsQuery {
  readonly agentId: string;
  readonly model: string | null;
}

export function selectRecentTokens(db: Database, { agentId, model }: RunsQuery): number[] {
  const [where, values] = model === null ? ["", [agentId]] : [" AND model = ?", [agentId, model]];
  return db.rows(
    `SELECT processing_tokens FROM runs WHERE agent = ?${where} AND ${completedRealWork}
     ORDER BY ended_at DESC LIMIT ${newestRuns}`,
    values,
    ([tokens]) => numberIn(tokens),
  );
}

/** Figures of an agent's last completed runs of real work. Processing tokens. */
export interface RecentRuns {
  /** Number of runs evaluated; below 5 there is too little evidence, and the figures are null. */
  readonly runs: number;
  readonly median: number | null;
  /** The 75th percentile by nearest rank: the exact figure of one of the runs. */
  readonly p75: number | null;
}

/**
 * Maximum and minimum runs evaluated: older runs no longer represent how the agent works; fewer are too little
 * evidence.
 */
export const [newestRuns, minRuns] = [50, 5];

export function selectRecentRuns(db: Database, agent: string): RecentRuns {
  const recent = selectRecentTokens(db, { agentId: agent, model: null });
  if (recent.length < minRuns) return { runs: recent.length, median: null, p75: null };
  return { runs: recent.length, median: median(recent), p75: nearestRank(ascending(recent), 0.75) };
}

/** The last reported state of each plan limit. */
export function selectPlanLimits(db: Database): Overview["planLimits"] {
  return db.rows(
    `SELECT program, name, max(at), used_percent, window_minutes, resets_at
     FROM plan_limits GROUP BY program, name ORDER BY program, name`,
    [],
    (cells) => ({
      program: textIn(cells[0]),
      name: textIn(cells[1]),
      at: numberIn(cells[2]),
      usedPercent: numberIn(cells[3]),
      windowMinutes: maybeNumberIn(cells[4]),
      resetsAt: maybeNumberIn(cells[5]),
    }),
  );
}

/** A session and its usage. If its last activity was not reported, the time of its last response is used. */
export function summaryOf(facts: SessionFacts, sum: Sum): SessionSummary {
  const { id, program, title, cwd, branch, firstAt, lastAt, parentId, isCountedBefore } = facts;
  const lastResponse = sum.lastAt === -Infinity ? null : sum.lastAt;
  return {
    id,
    program,
    title,
    cwd,
    branch,
    firstAt,
    parentId,
    isCountedBefore,
    lastAt: lastAt ?? lastResponse,
    ...sum.sum(),
  };
}
