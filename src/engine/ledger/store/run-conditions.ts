/**
 * The id of a session's main conversation in the table of subagents. It has a row there only if the session itself is a
 * named agent (`claude --agent NAME`): then its figures are that agent's.
 */
export const mainAgentId = "main";

/** Whether a run belongs to its session's main conversation. SQL. @param runs name of the table of runs */
export function isMainRun(runs: string): string {
  return `${runs}.agent IN ('main', coalesce((SELECT type FROM subagents AS named
    WHERE named.session_id = ${runs}.session_id AND named.agent_id = '${mainAgentId}'), 'main'))`;
}

/**
 * A condition on `runs` for completed runs of real work. A golden task's run may have a transcript among the user's
 * own, which is collected like any other: everything in a session that ran a golden task is left out.
 */
export const completedRealWork = `task_hash IS NULL AND completed = 1 AND NOT EXISTS
  (SELECT 1 FROM runs AS golden WHERE golden.session_id = runs.session_id AND golden.task_hash IS NOT NULL)`;
