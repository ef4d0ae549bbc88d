import type { SqlValue } from "sql.js";
import { flagIn, maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

/** A trial as the ledger holds it; `src/engine/rules/trial` interprets it. Times in milliseconds since the epoch. */
export interface TrialRow {
  readonly id: string;
  readonly agent: string;
  readonly project: string | null;
  /** JSON. */
  readonly ruleIds: string;
  readonly planned: number;
  readonly startedAt: number;
  readonly stoppedAt: number | null;
  readonly approvedBy: string;
  readonly holdOut: number | null;
  readonly switchesOff: boolean;
  /** Number of sessions that drew. */
  readonly sessions: number;
}

/** A session's draw, and the facts known before it. */
export interface DrawRow {
  readonly trialId: string;
  readonly sessionId: string;
  readonly continues: string | null;
  readonly at: number;
  /** Rule ids as JSON. */
  readonly given: string;
  readonly withheld: string;
  /** Probabilities by rule ids as JSON; null if all were one half. */
  readonly chances: string | null;
  readonly program: string | null;
  readonly project: string | null;
  readonly branchKind: string | null;
  readonly hour: number | null;
  readonly promptChars: number | null;
  readonly deliveredAt: number | null;
}

/** Results of the prompts in a session's main conversation. */
export interface PromptCounts {
  readonly completed: number;
  /** Ended by the user, or without a known end. */
  readonly interrupted: number;
  /** Ended by an error of the API. */
  readonly failed: number;
  /**
   * Mean and sum of squared deviations of the natural logarithms of the processing tokens of completed prompts,
   * subagents' usage included. Null without completed prompts.
   */
  readonly meanLog: number | null;
  readonly squares: number;
  /** Processing tokens of all prompts, however they ended. */
  readonly tokens: number;
  /** Prompts that hooks reported, and those among them that ask the agent to correct its work. */
  readonly heard: number;
  readonly corrections: number;
}

export interface DrawnSession extends DrawRow {
  readonly prompts: PromptCounts;
  /** Its last sign of life. */
  readonly lastAt: number | null;
  /** Whether a hook reported its end after its last sign of life. */
  readonly hasEnded: boolean;
  /** Whether it ran a golden task. */
  readonly isGolden: boolean;
}

/** A session in a trial's time without a draw. */
interface UndrawnSession {
  readonly id: string;
  readonly program: string;
  readonly cwd: string | null;
  readonly firstAt: number;
  /** Whether purser received any of its hooks. */
  readonly hasHooks: boolean;
  /** Whether it was forked from another session. */
  readonly isFork: boolean;
}

export interface TrialSessions {
  readonly trial: TrialRow;
  /** In the order of their draws. */
  readonly drawn: readonly DrawnSession[];
  /** Of all projects, oldest first; the newest of them if a maximum was requested. */
  readonly undrawn: readonly UndrawnSession[];
}

export interface TrialSessionsQuery {
  readonly id: string;
  /** Maximum sessions without a draw; null for all. */
  readonly mostUndrawn: number | null;
}

const trialColumns = `id, agent, project, rule_ids, planned, started_at, stopped_at, approved_by,
  hold_out, coalesce(switches_off, 0), (SELECT count(*) FROM draws WHERE trial_id = trials.id AND continues IS NULL AND at IS NOT NULL)`;

const drawColumns = `trial_id, session_id, continues, at, given, withheld, program, project, branch_kind, hour,
  prompt_chars, delivered_at, chances`;

export function selectTrials(db: Database): TrialRow[] {
  return db.rows(`SELECT ${trialColumns} FROM trials ORDER BY started_at DESC, id`, [], trialIn);
}

export function selectDraws(db: Database, sessionId: string): DrawRow[] {
  const sql = `SELECT ${drawColumns} FROM draws WHERE session_id = ? AND at IS NOT NULL ORDER BY at`;
  return db.rows(sql, [sessionId], drawIn);
}

export function selectDeliveredDraws(db: Database, trialId: string): DrawRow[] {
  const sql = `SELECT ${drawColumns} FROM draws WHERE trial_id = ? AND at IS NOT NULL AND delivered_at IS NOT NULL`;
  return db.rows(sql, [trialId], drawIn);
}

export function selectTrialSessions(
  db: Database,
  { id: trialId, mostUndrawn }: TrialSessionsQuery,
): TrialSessions | null {
  const trial = db.first(`SELECT ${trialColumns} FROM trials WHERE id = ?`, [trialId], trialIn);
  if (trial === undefined) return null;
  const drawn = db.rows(
    `SELECT ${drawColumns},
       (SELECT last_at FROM sessions WHERE id = session_id),
       EXISTS (SELECT 1 FROM runs WHERE runs.session_id = draws.session_id AND task_hash IS NOT NULL),
       (SELECT max(at) FROM hook_events AS ended WHERE ended.session_id = draws.session_id AND event = 'SessionEnd')
     FROM draws WHERE trial_id = ? AND at IS NOT NULL ORDER BY at, rowid`,
    [trialId],
    (cells): DrawnSession => {
      const draw = drawIn(cells);
      const lastAt = maybeNumberIn(cells[13]);
      const endedAt = maybeNumberIn(cells[15]);
      return {
        ...draw,
        prompts: countPrompts(db, draw.sessionId),
        lastAt,
        // The transcript's last row may be written just after the hook.
        hasEnded: endedAt !== null && (lastAt === null || endedAt >= lastAt - endSlack),
        isGolden: flagIn(cells[14]),
      };
    },
  );
  return { trial, drawn, undrawn: undrawnOf(db, trial, mostUndrawn) };
}

/** Milliseconds. */
const endSlack = 5000;

function undrawnOf(
  db: Database,
  { id, startedAt, stoppedAt }: TrialRow,
  max: number | null,
): UndrawnSession[] {
  const newestFirst = db.rows(
    `SELECT id, program, cwd, first_at,
       EXISTS (SELECT 1 FROM hook_events WHERE hook_events.session_id = sessions.id), parent_id IS NOT NULL
     FROM sessions WHERE program IS NOT NULL AND first_at >= ?1 AND (?2 IS NULL OR first_at < ?2)
       AND NOT EXISTS (SELECT 1 FROM draws WHERE draws.session_id = sessions.id AND trial_id = ?3)
       AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.session_id = sessions.id AND task_hash IS NOT NULL)
     ORDER BY first_at DESC, id DESC LIMIT ?4`,
    // -1 means no limit.
    [startedAt, stoppedAt, id, max ?? -1],
    (cells) => ({
      id: textIn(cells[0]),
      program: textIn(cells[1]),
      cwd: maybeTextIn(cells[2]),
      firstAt: numberIn(cells[3]),
      hasHooks: flagIn(cells[4]),
      isFork: flagIn(cells[5]),
    }),
  );
  return newestFirst.reverse();
}

interface Run {
  readonly id: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly tokens: number;
  readonly isCompleted: boolean;
}

/**
 * A run of the main conversation is a prompt. A subagent's tokens belong to the prompt during which it began: a rule
 * that gives work to subagents must not look like a saving.
 */
export function countPrompts(db: Database, sessionId: string): PromptCounts {
  const runs = db.rows(
    `SELECT id, started_at, ended_at, processing_tokens, completed FROM runs
     WHERE session_id = ? AND task_hash IS NULL ORDER BY coalesce(started_at, ended_at), rowid`,
    [sessionId],
    (cells): Run => ({
      id: textIn(cells[0]),
      startedAt: maybeNumberIn(cells[1]),
      endedAt: maybeNumberIn(cells[2]),
      tokens: numberIn(cells[3]),
      isCompleted: flagIn(cells[4]),
    }),
  );
  const errors = db.rows(
    "SELECT at FROM hook_events WHERE session_id = ? AND event = 'StopFailure' AND agent_id IS NULL AND at IS NOT NULL",
    [sessionId],
    ([at]) => numberIn(at),
  );
  const isInner = ({ id }: Run) => id.startsWith(`${sessionId}#`);
  const begun = ({ startedAt, endedAt }: Run) => startedAt ?? endedAt ?? 0;
  const prompts = runs.filter((run) => !isInner(run));
  const tokens = prompts.map((run) => run.tokens);
  for (const inner of runs.filter(isInner)) {
    const at = prompts.findLastIndex((prompt) => begun(prompt) <= begun(inner));
    const place = Math.max(0, at);
    tokens[place] = (tokens[place] ?? 0) + inner.tokens;
  }
  const hasFailed = (index: number) => {
    const [from, until] = [prompts[index], prompts[index + 1]];
    const end = until === undefined ? Infinity : begun(until);
    return from !== undefined && errors.some((at) => at >= begun(from) && at < end);
  };
  const undone = prompts.flatMap(({ isCompleted }, index) => (isCompleted ? [] : [index]));
  const failed = undone.filter(hasFailed).length;
  const logs = prompts.flatMap(({ isCompleted }, index) => {
    const used = tokens[index] ?? 0;
    return isCompleted && used > 0 ? [Math.log(used)] : [];
  });
  const meanLog = logs.length === 0 ? null : logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return {
    completed: logs.length,
    interrupted: undone.length - failed,
    failed,
    meanLog,
    tokens: tokens.reduce((sum, each) => sum + each, 0),
    squares: meanLog === null ? 0 : logs.reduce((sum, log) => sum + (log - meanLog) ** 2, 0),
    ...countPromptHooks(db, sessionId),
  };
}

function countPromptHooks(db: Database, sessionId: string): Pick<PromptCounts, "heard" | "corrections"> {
  const sql = "SELECT count(*), coalesce(sum(corrects), 0) FROM trial_prompts WHERE session_id = ?";
  const counted = db.first(sql, [sessionId], ([heard, corrections]) => ({
    heard: numberIn(heard),
    corrections: numberIn(corrections),
  }));
  return counted ?? { heard: 0, corrections: 0 };
}

function trialIn(cells: SqlValue[]): TrialRow {
  return {
    id: textIn(cells[0]),
    agent: textIn(cells[1]),
    project: maybeTextIn(cells[2]),
    ruleIds: textIn(cells[3]),
    planned: numberIn(cells[4]),
    startedAt: numberIn(cells[5]),
    stoppedAt: maybeNumberIn(cells[6]),
    approvedBy: textIn(cells[7]),
    holdOut: maybeNumberIn(cells[8]),
    switchesOff: flagIn(cells[9]),
    sessions: numberIn(cells[10]),
  };
}

function drawIn(cells: SqlValue[]): DrawRow {
  return {
    trialId: textIn(cells[0]),
    sessionId: textIn(cells[1]),
    continues: maybeTextIn(cells[2]),
    at: numberIn(cells[3]),
    given: maybeTextIn(cells[4]) ?? "[]",
    withheld: maybeTextIn(cells[5]) ?? "[]",
    program: maybeTextIn(cells[6]),
    project: maybeTextIn(cells[7]),
    branchKind: maybeTextIn(cells[8]),
    hour: maybeNumberIn(cells[9]),
    promptChars: maybeNumberIn(cells[10]),
    deliveredAt: maybeNumberIn(cells[11]),
    chances: maybeTextIn(cells[12]),
  };
}
