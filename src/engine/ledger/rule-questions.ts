/** Questions about rules and trials. */
import { isMainRun } from "./store/run-conditions.ts";
import { maybeNumberIn, maybeTextIn, textIn, numberIn } from "./store/cell.ts";
import type { Database } from "./store/database.ts";
import { countPrompts } from "./questions/trial-book.ts";
import { readRows, type RowOf } from "./store/read-rows.ts";

export type { RealRun, RentFacts, RuleBook, RuleRow, RuleStepRow } from "./questions/rule-book.ts";
export type { DrawRow, DrawnSession, PromptCounts, TrialRow, TrialSessions } from "./questions/trial-book.ts";

/** A golden task's run with an outcome that is evidence about its configuration. Tokens. */
const goldenRun = {
  agent: textIn,
  taskId: textIn,
  model: textIn,
  suiteHash: textIn,
  driver: textIn,
  configurationHash: textIn,
  processingTokens: numberIn,
  cacheRead: numberIn,
};
export type GoldenRun = RowOf<typeof goldenRun>;

/** A task's first and best figures, with one model, suite and driver. Processing tokens. */
const goldenBaseline = {
  agent: textIn,
  taskId: maybeTextIn,
  taskHash: textIn,
  model: textIn,
  suiteHash: textIn,
  driver: textIn,
  /** Of the first completed run, frozen forever. */
  run1Tokens: numberIn,
  /** Only ever decreases. */
  bestTokens: numberIn,
  /** Milliseconds since the epoch, or null. */
  at: maybeNumberIn,
};
export type GoldenBaseline = RowOf<typeof goldenBaseline>;

/** Everything the ledger knows about golden tasks, and their cost beside real work. */
export interface GoldenBook {
  /** Newest first, up to a limit. */
  readonly runs: readonly GoldenRun[];
  readonly baselines: readonly GoldenBaseline[];
  /** Processing tokens since the requested time; replayed runs spend none. */
  readonly spent: { readonly realWork: number; readonly benches: number };
}

const newestRuns = 1000;

export function selectGoldenBook(db: Database, since: number): GoldenBook {
  return { runs: runsOf(db), baselines: baselinesOf(db), spent: selectSpent(db, since) };
}

function runsOf(db: Database): GoldenRun[] {
  return readRows(db, goldenRun, {
    from: `FROM runs
     WHERE bench_id IS NOT NULL AND outcome IN ('passed', 'failed', 'limit') AND task_id IS NOT NULL
       AND model IS NOT NULL AND suite_hash IS NOT NULL AND driver IS NOT NULL AND configuration_hash IS NOT NULL
     ORDER BY started_at DESC, id LIMIT ${newestRuns}`,
  });
}

/** Excludes baselines left behind by replays, which measure no agent. */
function baselinesOf(db: Database): GoldenBaseline[] {
  return readRows(db, goldenBaseline, {
    from: "FROM baselines WHERE driver <> 'replay' ORDER BY agent, task_id, model, driver, at",
  });
}

/** Real work is every turn of the user's own, including interrupted ones: their tokens were spent. */
function selectSpent(db: Database, since: number): GoldenBook["spent"] {
  const sum = (where: string) =>
    db.first(
      `SELECT coalesce(sum(processing_tokens), 0) FROM runs WHERE coalesce(ended_at, started_at) >= ? AND ${where}`,
      [since],
      ([tokens]) => numberIn(tokens),
    ) ?? 0;
  return {
    realWork: sum(
      `task_hash IS NULL AND NOT EXISTS
         (SELECT 1 FROM runs AS golden WHERE golden.session_id = runs.session_id AND golden.task_hash IS NOT NULL)`,
    ),
    benches: sum("task_hash IS NOT NULL AND (driver IS NULL OR driver <> 'replay')"),
  };
}

/**
 * A session of real work with the facts that a draw at its beginning would have known, and the results of its completed
 * prompts.
 */
export interface WorkSession {
  readonly program: string;
  /** The folder it began in. */
  readonly cwd: string | null;
  readonly branch: string | null;
  /** Milliseconds since the epoch. */
  readonly firstAt: number | null;
  /** Length of its first prompt. */
  readonly promptChars: number | null;
  /** As in `PromptCounts`. */
  readonly completed: number;
  readonly meanLog: number;
  readonly squares: number;
}

/** The newest sessions of Claude Code with a completed prompt, at most `max`, without benches and forks. */
export function selectRecentWork(db: Database, max: number): WorkSession[] {
  const sessions = db.rows(
    `SELECT id, program, cwd, branch, first_at,
       (SELECT prompt_chars FROM runs WHERE session_id = sessions.id AND ${isMainRun("runs")}
        ORDER BY coalesce(started_at, ended_at), rowid LIMIT 1)
     FROM sessions WHERE program = 'claude-code' AND parent_id IS NULL
       AND EXISTS (SELECT 1 FROM runs WHERE session_id = sessions.id AND completed = 1 AND ${isMainRun("runs")})
       AND NOT EXISTS (SELECT 1 FROM runs WHERE session_id = sessions.id AND task_hash IS NOT NULL)
     ORDER BY last_at DESC, id LIMIT ?`,
    [max],
    (cells) => ({
      id: textIn(cells[0]),
      program: textIn(cells[1]),
      cwd: maybeTextIn(cells[2]),
      branch: maybeTextIn(cells[3]),
      firstAt: maybeNumberIn(cells[4]),
      promptChars: maybeNumberIn(cells[5]),
    }),
  );
  return sessions.flatMap(({ id, ...known }) => {
    const { completed, meanLog, squares } = countPrompts(db, id);
    return meanLog === null ? [] : [{ ...known, completed, meanLog, squares }];
  });
}

/** A golden task's completed runs with one agent, model and driver. Processing tokens. */
export interface TaskResults {
  readonly hash: string;
  /** Of the first completed run, frozen forever. */
  readonly run1: number;
  readonly best: number;
  /** Of the last completed run with the active configuration; null if the ledger has none. */
  readonly last: number | null;
}

/** The completed tasks of a suite for one agent, model and driver. */
interface SuiteResults {
  readonly agent: string;
  readonly model: string;
  readonly suiteHash: string;
  readonly driver: string;
  readonly tasks: readonly TaskResults[];
  /** When the latest of the last runs began. Milliseconds since the epoch. */
  readonly lastAt: number | null;
}

/** A message from one agent to another that is still undecided. */
const openQuestion = {
  id: textIn,
  agent: textIn,
  toAgent: maybeTextIn,
  at: maybeNumberIn,
  body: textIn,
};
type OpenQuestion = RowOf<typeof openQuestion>;

/**
 * An agent's messages to others. Those neither approved nor denied are waiting, were sent without approval, or could
 * not be sent.
 */
interface MessageCounts {
  readonly agent: string;
  readonly asked: number;
  readonly approved: number;
  readonly denied: number;
}

/** The part of a report other than rules and real work. */
export interface ReportFacts {
  /** Most recently run first. */
  readonly suites: readonly SuiteResults[];
  readonly questions: {
    /** Newest first, at most 20. */
    readonly newest: readonly OpenQuestion[];
    readonly count: number;
    /** Each agent's messages to others and the decisions about them, by the agent's name. */
    readonly byAgent: readonly MessageCounts[];
  };
  readonly spent: GoldenBook["spent"];
}

const maxQuestions = 20;

/** @param since start of the period for `spent`: milliseconds since the epoch */
export function selectReportFacts(db: Database, since: number): ReportFacts {
  return { suites: suitesOf(db), questions: questionsOf(db), spent: selectSpent(db, since) };
}

/**
 * Leaves out baselines older than the model and suite in runs, which belong to no suite, and those left by replays,
 * which belong to no model.
 */
function suitesOf(db: Database): SuiteResults[] {
  const rows = db.rows(
    `WITH completed AS (
       SELECT agent, task_hash, model, suite_hash, driver, processing_tokens, started_at, row_number() OVER (
         PARTITION BY agent, task_hash, model, suite_hash, driver ORDER BY started_at DESC, id) AS place
       FROM runs WHERE bench_id IS NOT NULL AND task_hash IS NOT NULL AND outcome = 'passed' AND config = 'active')
     SELECT baselines.agent, baselines.model, baselines.suite_hash, baselines.driver, baselines.task_hash, run1_tokens,
       best_tokens, processing_tokens, max(started_at) OVER (
         PARTITION BY baselines.agent, baselines.model, baselines.suite_hash, baselines.driver) AS last_at
     FROM baselines LEFT JOIN completed ON place = 1 AND completed.agent = baselines.agent
       AND completed.task_hash = baselines.task_hash AND completed.model = baselines.model
       AND completed.suite_hash = baselines.suite_hash AND completed.driver = baselines.driver
     WHERE baselines.suite_hash <> '' AND baselines.driver <> 'replay'
     ORDER BY last_at DESC, 1, 2, 3, 4, 5`,
    [],
    (cells) => ({
      suite: {
        agent: textIn(cells[0]),
        model: textIn(cells[1]),
        suiteHash: textIn(cells[2]),
        driver: textIn(cells[3]),
        lastAt: maybeNumberIn(cells[8]),
      },
      task: {
        hash: textIn(cells[4]),
        run1: numberIn(cells[5]),
        best: numberIn(cells[6]),
        last: maybeNumberIn(cells[7]),
      },
    }),
  );
  const suites = new Map<string, Omit<SuiteResults, "tasks"> & { tasks: TaskResults[] }>();
  for (const { suite, task } of rows) {
    const key = JSON.stringify(suite);
    const known = suites.get(key) ?? { ...suite, tasks: [] };
    known.tasks.push(task);
    suites.set(key, known);
  }
  return [...suites.values()];
}

function questionsOf(db: Database): ReportFacts["questions"] {
  const isOpen = "status = 'pending'";
  const newest = readRows(db, openQuestion, {
    from: `FROM questions WHERE ${isOpen} ORDER BY at DESC, id LIMIT ${maxQuestions}`,
  });
  const count = db.first(`SELECT count(*) FROM questions WHERE ${isOpen}`, [], ([cell]) => numberIn(cell));
  const byAgent = db.rows(
    `SELECT agent, count(*), count(*) FILTER (WHERE status = 'approved'), count(*) FILTER (WHERE status = 'denied')
     FROM questions GROUP BY agent ORDER BY agent`,
    [],
    (cells) => ({
      agent: textIn(cells[0]),
      asked: numberIn(cells[1]),
      approved: numberIn(cells[2]),
      denied: numberIn(cells[3]),
    }),
  );
  return { newest, count: count ?? 0, byAgent };
}
