/** The twenty-first migration: a table for the wakes of recurring agents. */
export const wakesTable = `
CREATE TABLE wakes (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, project TEXT NOT NULL, program TEXT NOT NULL, model TEXT NOT NULL, task_id TEXT,
  source TEXT NOT NULL, at INTEGER NOT NULL, ended_at INTEGER NOT NULL, session_id TEXT REFERENCES sessions(id), reason TEXT NOT NULL,
  cause TEXT, resume_failed INTEGER NOT NULL, outcome TEXT NOT NULL, detail TEXT, turns INTEGER NOT NULL, input INTEGER, output INTEGER,
  cache_creation5m INTEGER, cache_creation1h INTEGER, cache_read INTEGER, normalized_input INTEGER, raw_input INTEGER,
  raw_output INTEGER, usd REAL, fetch_mode TEXT NOT NULL, full_fetches INTEGER NOT NULL, delta_fetches INTEGER NOT NULL,
  summary_fetches INTEGER NOT NULL, prompt_chars INTEGER NOT NULL, instructions_chars INTEGER NOT NULL, has_instructions INTEGER,
  skills TEXT, skill_bytes INTEGER, skills_hash TEXT, definition_hash TEXT, state_before TEXT, state_after TEXT
) STRICT;
CREATE INDEX wakes_at ON wakes(at);
CREATE INDEX wakes_session ON wakes(session_id);
`;
