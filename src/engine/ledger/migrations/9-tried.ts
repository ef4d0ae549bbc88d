/** The ninth migration: tables for rules on trial in real work. */
export const triedTables = `
CREATE TABLE trials (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, project TEXT, rule_ids TEXT NOT NULL, planned INTEGER NOT NULL,
  started_at INTEGER NOT NULL, stopped_at INTEGER, approved_by TEXT NOT NULL
) STRICT;

CREATE TABLE draws (
  trial_id TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), continues TEXT, at INTEGER,
  given TEXT, withheld TEXT, program TEXT, project TEXT, branch_kind TEXT, hour INTEGER, prompt_chars INTEGER,
  delivered_at INTEGER, PRIMARY KEY (trial_id, session_id)
) STRICT;
CREATE INDEX draws_session ON draws(session_id);
`;
