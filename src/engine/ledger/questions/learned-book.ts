import {
  type LearnedBook,
  type LearnedDeadEnd,
  type LearnedRow,
  type WorkingSetRow,
  sentTextList,
  type SessionFactsRow,
  effectivenessRow,
  workingSetRow,
  sessionFactsRow,
} from "../learned.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn, type Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { sha256Hex } from "../../base/hash.ts";
import { isMainRun } from "../store/run-conditions.ts";
import { agents } from "../../transcripts/agents.ts";
import { guardCounts } from "../sums/by-guard.ts";
import { readRows, type RowOf } from "../store/read-rows.ts";

/** Everything learned about a project, or about all projects, in the order of the ids. @param project null for all */
export function selectLearnedBook(db: Database, project: string | null): LearnedBook {
  return {
    learned: selectLearned(db, project),
    deadEnds: selectDeadEnds(db, project),
    workingSet: selectWorkingSet(db, project),
    effectiveness: readRows(db, effectivenessRow, {
      from: "FROM effectiveness ORDER BY id",
      sql: { phase: "coalesce(phase, '')" },
    }),
  };
}

/**
 * The user's decision, and how often it was sent. An outcome belongs to it if it has the same rule in the same session.
 */
const around = (table: string) => `
  m.state, m.text, m.at,
  (SELECT count(*) FROM learned_uses u WHERE u.id = ${table}.id),
  (SELECT max(at) FROM learned_uses u WHERE u.id = ${table}.id),
  ${["'followed', 'progress'", "'ignored', 'false'"]
    .map(
      (outcomes) => `(SELECT count(DISTINCT u.session_id) FROM learned_uses u JOIN guard_outcomes o
        ON o.session_id = u.session_id AND o.rule = u.rule AND o.outcome IN (${outcomes}) WHERE u.id = ${table}.id)`,
    )
    .join(", ")}
  FROM ${table} LEFT JOIN learned_marks m ON m.id = ${table}.id
  WHERE ${table}.project = coalesce(?, ${table}.project) ORDER BY ${table}.id`;

function selectLearned(db: Database, project: string | null): LearnedRow[] {
  const own = "id task project text subject remedy sessions times good evidence at score";
  return db.rows(
    `SELECT ${columns("learned", own)}, ${around("learned")}`,
    [project],
    ([id, task, of, text, subject, remedy, sessions, times, good, evidence, at, score, ...rest]) => ({
      id: textIn(id),
      task: textIn(task),
      project: textIn(of),
      text: textIn(text),
      subject: maybeTextIn(subject),
      remedy: maybeTextIn(remedy),
      sessions: numberIn(sessions),
      times: numberIn(times),
      good: numberIn(good),
      evidence: maybeTextIn(evidence),
      at: maybeNumberIn(at),
      score: maybeNumberIn(score),
      ...markIn(rest),
    }),
  );
}

function selectDeadEnds(db: Database, project: string | null): LearnedDeadEnd[] {
  const own = "id project text how sessions times evidence at score";
  return db.rows(
    `SELECT ${columns("dead_ends", own)}, ${around("dead_ends")}`,
    [project],
    ([id, of, text, how, sessions, times, evidence, at, score, ...rest]) => ({
      id: textIn(id),
      project: textIn(of),
      text: textIn(text),
      how: textIn(how) === "reverted" ? "reverted" : "failed",
      sessions: numberIn(sessions),
      times: numberIn(times),
      evidence: maybeTextIn(evidence),
      at: maybeNumberIn(at),
      score: maybeNumberIn(score),
      ...markIn(rest),
    }),
  );
}

function columns(table: string, names: string): string {
  return names
    .split(" ")
    .map((name) => `${table}.${name}`)
    .join(", ");
}

function selectWorkingSet(db: Database, project: string | null): WorkingSetRow[] {
  return readRows(db, workingSetRow, {
    from: "FROM working_set WHERE project = coalesce(?, project) ORDER BY project, score DESC, path",
    values: [project],
  });
}

type Around = Pick<LearnedRow, "mark" | "uses" | "usedAt" | "helped" | "failed">;

function markIn([state, own, markedAt, uses, usedAt, helped, failed]: readonly Cell[]): Around {
  const word = maybeTextIn(state);
  const known = (["shown", "kept", "edited", "forgotten"] as const).find((each) => each === word);
  return {
    mark: known === undefined ? null : { state: known, text: maybeTextIn(own), at: maybeNumberIn(markedAt) },
    uses: numberIn(uses),
    usedAt: maybeNumberIn(usedAt),
    helped: numberIn(helped),
    failed: numberIn(failed),
  };
}

/** Progress of a task in a file of the past, or in a project. */
const learnCursor = {
  id: textIn,
  stamp: textIn,
  tasks: maybeTextIn,
};
type LearnCursor = RowOf<typeof learnCursor>;

export function selectLearnCursors(db: Database): LearnCursor[] {
  return readRows(db, learnCursor, { from: "FROM learn_cursors ORDER BY id" });
}

/** The input for conclusions: for a project, the facts that one task found in its sessions. */
interface FactsStamp {
  readonly project: string;
  readonly task: string;
  /** Sessions. */
  readonly rows: number;
  /** When the newest of its sessions ended. Milliseconds since the epoch. */
  readonly at: number | null;
  /** Unchanged while nothing changed. */
  readonly stamp: string;
}

export function selectFactsStamps(db: Database): FactsStamp[] {
  return db.rows(
    `SELECT project, task, count(*), max(at), group_concat(id || stamp, ' ')
     FROM (SELECT project, task, at, id, stamp FROM events ORDER BY project, task, id) GROUP BY project, task
     ORDER BY project, task`,
    [],
    ([project, task, rows, at, stamps]) => ({
      project: textIn(project),
      task: textIn(task),
      rows: numberIn(rows),
      at: maybeNumberIn(at),
      stamp: sha256Hex(textIn(stamps), 16),
    }),
  );
}

export function selectLearnedSessions(db: Database, project: string): number[] {
  return db.rows(
    "SELECT max(coalesce(at, 0)) FROM events WHERE project = ? GROUP BY session_id ORDER BY 1 DESC",
    [project],
    ([at]) => numberIn(at),
  );
}

export function selectSessionFacts(
  db: Database,
  { project, task }: { readonly project: string; readonly task: string | null },
): SessionFactsRow[] {
  return readRows(db, sessionFactsRow, {
    from: "FROM events WHERE project = ? AND task = coalesce(?, task) ORDER BY id",
    values: [project, task],
  });
}

/** Outcomes of a rule's advice, sent in one phase of sessions' work. */
interface PhaseOutcomes {
  readonly subject: string;
  /** Empty if the state of the work was unknown. */
  readonly phase: string;
  readonly helped: number;
  readonly failed: number;
}

/** Agents that do not show a command which session it runs in, so that no session is seen to accept an offer. */
const unseen = agents.flatMap(({ name, sessionVariable }) => (sessionVariable === null ? [`'${name}'`] : []));

function phaseAt(table: string): string {
  return `coalesce((SELECT s.phase FROM session_states s WHERE s.session_id = ${table}.session_id AND s.at <= ${table}.at
    ORDER BY s.turn DESC LIMIT 1), '')`;
}

/**
 * Counts the outcomes of advice, by rule and by the phase in which it was sent. The user's decision overrides the
 * result of later calls. Packets, lost facts and handovers helped if the current prompt was then completed: nothing
 * else is known about them. An offer helped if it was accepted. Unmuted kinds are counted from that time on.
 */
export function selectPhaseOutcomes(db: Database): PhaseOutcomes[] {
  return db.rows(
    `WITH sent AS (
       SELECT rule AS subject, session_id, at FROM hook_events
         WHERE rule IN (${sentTextList}, 'put-back') AND injected_chars > 0
           AND at > coalesce((SELECT max(w.at) FROM guard_wakes w WHERE w.rule = hook_events.rule), -9e15)
       UNION ALL SELECT 'handover', to_session, taken_at FROM handovers WHERE to_session IS NOT NULL AND taken_at IS NOT NULL
     ), came AS (
       SELECT subject, session_id, at, (SELECT completed FROM runs WHERE runs.session_id = sent.session_id AND ${isMainRun("runs")}
         AND task_hash IS NULL AND ended_at >= sent.at ORDER BY ended_at LIMIT 1) AS completed FROM sent
     ), ended AS (
       SELECT subject, session_id, at, CASE WHEN subject <> 'resume-offer' OR completed IS NULL THEN completed
         WHEN EXISTS (SELECT 1 FROM handovers WHERE to_session = came.session_id) THEN 1
         WHEN (SELECT program FROM sessions WHERE id = came.session_id) IN (${unseen.join(", ")}) THEN NULL ELSE 0 END AS completed FROM came
     )
     SELECT h.rule AS subject, ${phaseAt("h")} AS phase,
       sum(h.hits * (h.outcome IN ('followed', 'progress'))), sum(h.hits * (h.outcome IN ('ignored', 'false')))
     FROM ${guardCounts} h WHERE h.done = 'advised' AND h.outcome <> ''
     GROUP BY subject, phase
     UNION ALL SELECT subject, ${phaseAt("ended")} AS phase, sum(completed), sum(completed = 0)
     FROM ended WHERE completed IS NOT NULL
     GROUP BY subject, phase ORDER BY subject, phase`,
    [],
    ([subject, phase, helped, failed]) => ({
      subject: textIn(subject),
      phase: textIn(phase),
      helped: numberIn(helped),
      failed: numberIn(failed),
    }),
  );
}
