/**
 * A condition on `runs` for completed runs of real work. A golden task's run may have a transcript among the user's
 * own, which is collected like any other: everything in a session that ran a golden task is left out.
 */
export const completedRealWork = `task_hash IS NULL AND completed = 1 AND NOT EXISTS
  (SELECT 1 FROM runs AS golden WHERE golden.session_id = runs.session_id AND golden.task_hash IS NOT NULL)`;
