import type { LearnedBook, LearnedDeadEnd, LearnedRow, WorkingSetRow } from "../../learned.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn, type Cell } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";

/** Everything learned about a project, or about all projects, in the order of the ids. @param project null for all */
export function selectLearnedBook(db: Database, project: string | null): LearnedBook {
  return {
    learned: selectLearned(db, project),
    deadEnds: selectDeadEnds(db, project),
    workingSet: selectWorkingSet(db, project),
    effectiveness: db.rows(
      "SELECT id, subject, coalesce(phase, ''), helped, failed FROM effectiveness ORDER BY id",
      [],
      ([id, subject, phase, helped, failed]) => ({
        id: textIn(id),
        subject: textIn(subject),
        phase: textIn(phase),
        helped: numberIn(helped),
        failed: numberIn(failed),
      }),
    ),
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
  return db.rows(
    `SELECT id, project, path, score, reads, edits, sessions, at FROM working_set
     WHERE project = coalesce(?, project) ORDER BY project, score DESC, path`,
    [project],
    ([id, of, path, score, reads, edits, sessions, at]) => ({
      id: textIn(id),
      project: textIn(of),
      path: textIn(path),
      score: numberIn(score),
      reads: numberIn(reads),
      edits: numberIn(edits),
      sessions: numberIn(sessions),
      at: maybeNumberIn(at),
    }),
  );
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
