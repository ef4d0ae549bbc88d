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
