import { isMainRun } from "../../main-agent.ts";
import { agents } from "../../../transcripts/agents.ts";
import { numberIn, textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";
import { guardCounts } from "../../sums/by-guard.ts";
import { toldList } from "./told-texts.ts";

/** How advice of a rule turned out, told in one phase of sessions' work. */
export interface PhaseOutcomes {
  readonly subject: string;
  /** Empty where the state of the work was not known. */
  readonly phase: string;
  readonly helped: number;
  readonly failed: number;
}

/** Agents whose sessions do not tell a command in which of them it runs, so that none is seen to take what it was offered. */
const unseen = agents.flatMap(({ name, sessionVariable }) => (sessionVariable === null ? [`'${name}'`] : []));

function phaseAt(table: string): string {
  return `coalesce((SELECT s.phase FROM session_states s WHERE s.session_id = ${table}.session_id AND s.at <= ${table}.at
    ORDER BY s.turn DESC LIMIT 1), '')`;
}

/**
 * Counts what came of advice, by rule and by the phase in which it was told; what the user says counts before what calls show. Packets, lost
 * facts and handovers helped where the prompt that was worked on then was completed: that alone is known of them. An offer helped where it was
 * taken. Kinds that were called back are counted from then on.
 */
export function selectPhaseOutcomes(db: Database): PhaseOutcomes[] {
  return db.rows(
    `WITH told AS (
       SELECT rule AS subject, session_id, at FROM hook_events
         WHERE rule IN (${toldList}, 'put-back') AND injected_chars > 0
           AND at > coalesce((SELECT max(w.at) FROM guard_wakes w WHERE w.rule = hook_events.rule), -9e15)
       UNION ALL SELECT 'handover', to_session, taken_at FROM handovers WHERE to_session IS NOT NULL AND taken_at IS NOT NULL
     ), came AS (
       SELECT subject, session_id, at, (SELECT completed FROM runs WHERE runs.session_id = told.session_id AND ${isMainRun("runs")}
         AND task_hash IS NULL AND ended_at >= told.at ORDER BY ended_at LIMIT 1) AS completed FROM told
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
