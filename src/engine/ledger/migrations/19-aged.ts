/**
 * The nineteenth migration: sums of guard rules' old hits with what came of them (`GuardSums`). The day's begin in UTC; '' is an outcome
 * that is not known.
 */
export const agedTables = `
CREATE TABLE guard_sums (
  day INTEGER NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), rule TEXT NOT NULL, family TEXT NOT NULL, action TEXT NOT NULL,
  done TEXT NOT NULL, outcome TEXT NOT NULL, hits INTEGER NOT NULL, saved_bytes INTEGER NOT NULL, last_at INTEGER NOT NULL,
  PRIMARY KEY (day, session_id, rule, family, action, done, outcome)
) STRICT;
CREATE INDEX guard_sums_session ON guard_sums(session_id);
CREATE INDEX guard_hits_session ON guard_hits(session_id);
CREATE INDEX resume_packets_at ON resume_packets(at);
`;
