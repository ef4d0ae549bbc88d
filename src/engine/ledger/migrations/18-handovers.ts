/** The eighteenth migration: a table for documents that hand a session's work over, and who went on with it. */
export const handoverTable = `
CREATE TABLE handovers (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), program TEXT, at INTEGER, folder TEXT, branch TEXT,
  head_commit TEXT, changes TEXT, file_hash TEXT, carried_tokens INTEGER, document_tokens INTEGER, state TEXT NOT NULL,
  to_program TEXT, started_at INTEGER, to_session TEXT, taken_at INTEGER
) STRICT;
CREATE INDEX handovers_at ON handovers(at);
CREATE INDEX handovers_session ON handovers(session_id);
`;
