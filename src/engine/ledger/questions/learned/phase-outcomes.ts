import { numberIn, textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";
import { guardCounts } from "../../sums/by-guard.ts";

/** How advice of a rule turned out, told in one phase of sessions' work. */
export interface PhaseOutcomes {
  readonly subject: string;
  /** Empty where the state of the work was not known. */
  readonly phase: string;
  readonly helped: number;
  readonly failed: number;
}

/** Counts what came of advice, by rule and by the phase in which it was told; what the user says counts before what calls show. */
export function selectPhaseOutcomes(db: Database): PhaseOutcomes[] {
  return db.rows(
    `SELECT h.rule, coalesce((SELECT s.phase FROM session_states s WHERE s.session_id = h.session_id AND s.at <= h.at
         ORDER BY s.turn DESC LIMIT 1), '') AS phase,
       sum(h.hits * (h.outcome IN ('followed', 'progress'))), sum(h.hits * (h.outcome IN ('ignored', 'false')))
     FROM ${guardCounts} h WHERE h.done = 'advised' AND h.outcome <> ''
     GROUP BY h.rule, phase ORDER BY h.rule, phase`,
    [],
    ([subject, phase, helped, failed]) => ({
      subject: textIn(subject),
      phase: textIn(phase),
      helped: numberIn(helped),
      failed: numberIn(failed),
    }),
  );
}
