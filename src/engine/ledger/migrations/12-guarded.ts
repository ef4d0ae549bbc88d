/** The twelfth migration: a table for guard rules that fired on agents' tool calls. */
export const guardedTables = `
CREATE TABLE guard_hits (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, at INTEGER, program TEXT,
  tool TEXT, rule TEXT NOT NULL, family TEXT NOT NULL, action TEXT NOT NULL, done TEXT NOT NULL, excerpt TEXT,
  folder TEXT, saved_bytes INTEGER
) STRICT;
CREATE INDEX guard_hits_at ON guard_hits(at);
`;
