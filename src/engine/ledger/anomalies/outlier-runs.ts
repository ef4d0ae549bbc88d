import { median } from "../../base/numbers.ts";
import { cacheCreation, type TokenUsage } from "../../usage/token-counts.ts";
import { numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { completedRealWork } from "../store/run-conditions.ts";
import { minRuns, newestRuns } from "../questions/queries.ts";
import type { Chain, EndedRun, SessionHistory } from "../questions/session-history.ts";
import type { Anomaly } from "../ledger-answers.ts";

/** An anomaly as found, before it is recorded. */
export type FoundAnomaly = Pick<
  Anomaly,
  "id" | "sessionId" | "agentId" | "cause" | "value" | "usual" | "turns"
> & {
  readonly at: number;
};

/** Maximum turns that an anomaly names: more would not help the reader. */
export const maxTurns = 50;

export function anomalyId(
  { cause, sessionId, agentId }: Pick<FoundAnomaly, "cause" | "sessionId" | "agentId">,
  about: string,
): string {
  return `${cause}:${sessionId}${agentId === null ? "" : `#${agentId}`}:${about}`;
}

/** A run is costly above this multiple of its agent's median. */
const factor = 2;
/** Maximum responses named per run: its most expensive ones. */
const maxNamed = 10;
/** A session without a known program counts as Claude Code's. */
const programOf = "coalesce(program, 'claude-code')";

/**
 * Costly runs, completed or not: they took more than twice the median of the last 50 completed runs (at least 5) that
 * ended before them. Only runs of the same agent of the same program are compared. Processing tokens.
 */
export function findCostlyRuns(db: Database, { chains, runs }: SessionHistory): FoundAnomaly[] {
  const found: FoundAnomaly[] = [];
  // A session that ran a golden task is not real work.
  const real = runs.some(({ isTask }) => isTask) ? [] : runs;
  for (const agent of new Set(real.map((run) => run.agent))) {
    const ofAgent = real.filter((run) => run.agent === agent);
    const completed = readCompleted(db, { agent, runs: ofAgent });
    for (const run of ofAgent) {
      const end = completed.findLastIndex(({ endedAt }) => endedAt < run.endedAt) + 1;
      const before = completed.slice(Math.max(0, end - newestRuns), end);
      const usual = median(before.map(({ tokens }) => tokens));
      if (before.length < minRuns || run.processingTokens <= factor * usual) continue;
      const { sessionId, agentId, endedAt, processingTokens } = run;
      const anomaly = { sessionId, agentId, cause: "costly-run" } as const;
      const chain = chains.find((each) => each.agentId === agentId);
      found.push({
        ...anomaly,
        id: `${anomaly.cause}:${run.id}`,
        at: endedAt,
        value: processingTokens,
        usual,
        turns: chain === undefined ? [] : dearestOf(chain, run),
      });
    }
  }
  return found;
}

interface Completed {
  readonly endedAt: number;
  readonly tokens: number;
}

/** The agent's completed runs of real work, from 50 before the first of the given runs up to the last of them, oldest first. */
function readCompleted(
  db: Database,
  { agent, runs }: { agent: string; runs: readonly EndedRun[] },
): Completed[] {
  const ends = runs.map(({ endedAt }) => endedAt);
  const first = ends.reduce((least, each) => Math.min(least, each), Infinity);
  const last = ends.reduce((most, each) => Math.max(most, each), -Infinity);
  // All runs belong to one session.
  const program = db.first(
    `SELECT ${programOf} FROM sessions WHERE id = ?`,
    [runs[0]?.sessionId ?? ""],
    ([cell]) => textIn(cell),
  );
  const where = `agent = ?1 AND ${completedRealWork}
    AND EXISTS (SELECT 1 FROM sessions WHERE sessions.id = runs.session_id AND ${programOf} = ?4)`;
  return db.rows(
    `SELECT ended_at, processing_tokens FROM runs WHERE ${where} AND ended_at < ?3 AND ended_at >= coalesce(
       (SELECT ended_at FROM runs WHERE ${where} AND ended_at < ?2 ORDER BY ended_at DESC LIMIT 1 OFFSET ${newestRuns - 1}),
       (SELECT min(ended_at) FROM runs WHERE ${where})) ORDER BY ended_at`,
    [agent, first, last, program ?? ""],
    (cells) => ({ endedAt: numberIn(cells[0]), tokens: numberIn(cells[1]) }),
  );
}

/** A run's most expensive responses, ordered by time. */
function dearestOf({ responses }: Chain, { startedAt, endedAt }: EndedRun): string[] {
  const within = responses.filter(({ at }) => at >= (startedAt ?? -Infinity) && at <= endedAt);
  const dearest = within
    .toSorted((one, other) => processing(other.usage) - processing(one.usage))
    .slice(0, maxNamed);
  return dearest.toSorted((one, other) => one.at - other.at).map(({ messageId }) => messageId);
}

function processing(usage: TokenUsage): number {
  return usage.input + usage.output + cacheCreation(usage);
}
