/**
 * The third migration: tables that attribute tokens to subagents, and record what filled the window, plan limits and
 * anomalies.
 */
export const attributedTables = `
CREATE TABLE subagents (
  session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT NOT NULL, type TEXT, description TEXT,
  PRIMARY KEY (session_id, agent_id)
) STRICT;

-- What a request to the model was made of, in characters by what they are. Never the text itself.
CREATE TABLE context_fills (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, message_id TEXT,
  at INTEGER, parts TEXT
) STRICT;
CREATE INDEX context_fills_session ON context_fills(session_id);

CREATE TABLE plan_limits (
  program TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, used_percent REAL NOT NULL,
  window_minutes INTEGER, resets_at INTEGER,
  PRIMARY KEY (program, name, at)
) STRICT;

CREATE TABLE anomalies (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, cause TEXT NOT NULL,
  at INTEGER, value REAL, usual REAL, turns TEXT, shown_at INTEGER
) STRICT;
CREATE INDEX anomalies_session ON anomalies(session_id);

CREATE INDEX tool_calls_message ON tool_calls(message_id);
`;
