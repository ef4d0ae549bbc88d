import { maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

/** A golden task's run with an outcome that is evidence about its configuration. Tokens. */
export interface GoldenRun {
  readonly agent: string;
  readonly taskId: string;
  readonly model: string;
  readonly suiteHash: string;
  readonly driver: string;
  readonly configurationHash: string;
  readonly processingTokens: number;
  readonly cacheRead: number;
}

/** A task's first and best figures, with one model, suite and driver. Processing tokens. */
export interface GoldenBaseline {
  readonly agent: string;
  readonly taskId: string | null;
  readonly taskHash: string;
  readonly model: string;
  readonly suiteHash: string;
  readonly driver: string;
  /** Of the first completed run, frozen forever. */
  readonly run1Tokens: number;
  /** Only ever decreases. */
  readonly bestTokens: number;
  /** Milliseconds since the epoch, or null. */
  readonly at: number | null;
}

/** Everything the ledger knows about golden tasks, and their cost beside real work. */
export interface GoldenBook {
  /** Newest first, up to a limit. */
  readonly runs: readonly GoldenRun[];
  readonly baselines: readonly GoldenBaseline[];
  /** Processing tokens since the requested time; replayed runs spend none. */
  readonly spent: { readonly realWork: number; readonly benches: number };
}

const newestRuns = 1000;

/** @param since milliseconds since the epoch */
export function selectGoldenBook(db: Database, since: number): GoldenBook {
  return { runs: runsOf(db), baselines: baselinesOf(db), spent: selectSpent(db, since) };
}

function runsOf(db: Database): GoldenRun[] {
  return db.rows(
    `SELECT agent, task_id, model, suite_hash, driver, configuration_hash, processing_tokens, cache_read FROM runs
     WHERE bench_id IS NOT NULL AND outcome IN ('passed', 'failed', 'limit') AND task_id IS NOT NULL
       AND model IS NOT NULL AND suite_hash IS NOT NULL AND driver IS NOT NULL AND configuration_hash IS NOT NULL
     ORDER BY started_at DESC, id LIMIT ${newestRuns}`,
    [],
    (cells) => ({
      agent: textIn(cells[0]),
      taskId: textIn(cells[1]),
      model: textIn(cells[2]),
      suiteHash: textIn(cells[3]),
      driver: textIn(cells[4]),
      configurationHash: textIn(cells[5]),
      processingTokens: numberIn(cells[6]),
      cacheRead: numberIn(cells[7]),
    }),
  );
}

/** Excludes baselines left behind by replays, which measure no agent. */
function baselinesOf(db: Database): GoldenBaseline[] {
  return db.rows(
    `SELECT agent, task_id, task_hash, model, suite_hash, driver, run1_tokens, best_tokens, at FROM baselines
     WHERE driver <> 'replay' ORDER BY agent, task_id, model, driver, at`,
    [],
    (cells) => ({
      agent: textIn(cells[0]),
      taskId: maybeTextIn(cells[1]),
      taskHash: textIn(cells[2]),
      model: textIn(cells[3]),
      suiteHash: textIn(cells[4]),
      driver: textIn(cells[5]),
      run1Tokens: numberIn(cells[6]),
      bestTokens: numberIn(cells[7]),
      at: typeof cells[8] === "number" ? cells[8] : null,
    }),
  );
}

/** Real work is every turn of the user's own, including interrupted ones: their tokens were spent. */
export function selectSpent(db: Database, since: number): GoldenBook["spent"] {
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
