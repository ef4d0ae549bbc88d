import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { selectSpent, type GoldenBook } from "./golden-book.ts";

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
interface OpenQuestion {
  readonly id: string;
  readonly agent: string;
  readonly toAgent: string | null;
  readonly at: number | null;
  readonly body: string;
}

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
  const newest = db.rows(
    `SELECT id, agent, to_agent, at, body FROM questions WHERE ${isOpen} ORDER BY at DESC, id LIMIT ${maxQuestions}`,
    [],
    (cells) => ({
      id: textIn(cells[0]),
      agent: textIn(cells[1]),
      toAgent: maybeTextIn(cells[2]),
      at: maybeNumberIn(cells[3]),
      body: textIn(cells[4]),
    }),
  );
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
