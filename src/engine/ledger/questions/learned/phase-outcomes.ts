import { isMainRun } from "../../main-agent.ts";
import { agents } from "../../../transcripts/agents.ts";
import { numberIn, textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";
import { guardCounts } from "../../sums/by-guard.ts";
import { sentTextList } from "../../learned.ts";

/** Outcomes of a rule's advice, sent in one phase of sessions' work. */
export interface PhaseOutcomes {
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
