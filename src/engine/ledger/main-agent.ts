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
