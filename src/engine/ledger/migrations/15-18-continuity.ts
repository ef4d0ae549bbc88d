/** The fifteenth migration: a table for what the next session needs of a session. */
export const packetsTable = `
CREATE TABLE resume_packets (
  session_id TEXT NOT NULL REFERENCES sessions(id), occasion TEXT NOT NULL, at INTEGER, turn INTEGER NOT NULL, program TEXT,
  folder TEXT, branch TEXT, packet TEXT, PRIMARY KEY (session_id, occasion)
) STRICT;
CREATE INDEX resume_packets_place ON resume_packets(folder, branch, at);
`;

/** The sixteenth migration: tables for what is learned from past sessions. */
export const learningTables = `
CREATE TABLE learn_cursors (id TEXT PRIMARY KEY, stamp TEXT NOT NULL, tasks TEXT) STRICT;
CREATE TABLE events (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), task TEXT NOT NULL, program TEXT NOT NULL,
  project TEXT NOT NULL, at INTEGER, turns INTEGER NOT NULL, origin TEXT, stamp TEXT NOT NULL, facts TEXT
) STRICT;
CREATE INDEX events_project ON events(project, task);
CREATE TABLE learned (
  id TEXT PRIMARY KEY, task TEXT NOT NULL, project TEXT NOT NULL, text TEXT NOT NULL, subject TEXT, remedy TEXT,
  sessions INTEGER NOT NULL, times INTEGER NOT NULL, good INTEGER NOT NULL, evidence TEXT, at INTEGER, score INTEGER
) STRICT;
CREATE INDEX learned_project ON learned(project, task);
CREATE TABLE learned_marks (id TEXT PRIMARY KEY, state TEXT NOT NULL, text TEXT, at INTEGER) STRICT;
CREATE TABLE learned_uses (
  id TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), rule TEXT, at INTEGER, PRIMARY KEY (id, session_id)
) STRICT;
CREATE TABLE working_set (
  id TEXT PRIMARY KEY, project TEXT NOT NULL, path TEXT NOT NULL, score INTEGER NOT NULL, reads INTEGER NOT NULL,
  edits INTEGER NOT NULL, sessions INTEGER NOT NULL, at INTEGER
) STRICT;
CREATE INDEX working_set_project ON working_set(project);
CREATE TABLE dead_ends (
  id TEXT PRIMARY KEY, project TEXT NOT NULL, text TEXT NOT NULL, how TEXT NOT NULL, sessions INTEGER NOT NULL,
  times INTEGER NOT NULL, evidence TEXT, at INTEGER, score INTEGER
) STRICT;
CREATE INDEX dead_ends_project ON dead_ends(project);
CREATE TABLE effectiveness (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, phase TEXT, helped INTEGER NOT NULL, failed INTEGER NOT NULL
) STRICT;
`;

/** The seventeenth migration: tables for what compactions kept and lost, and for what people put back. */
export const compactedTables = `
CREATE TABLE compaction_diffs (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), program TEXT, "trigger" TEXT, at INTEGER, items TEXT
) STRICT;
CREATE INDEX compaction_diffs_session ON compaction_diffs(session_id);
CREATE TABLE put_backs (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), diff_id TEXT NOT NULL, item_id TEXT NOT NULL,
  chosen_at INTEGER, given_at INTEGER
) STRICT;
CREATE INDEX put_backs_diff ON put_backs(diff_id);
`;

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
