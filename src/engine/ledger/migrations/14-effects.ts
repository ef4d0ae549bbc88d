/** The thirteenth migration: tables for what came of guard rules, and for those that were called back. */
export const effectTables = `
CREATE TABLE guard_outcomes (
  id TEXT NOT NULL, source TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), rule TEXT NOT NULL, family TEXT NOT NULL,
  done TEXT NOT NULL, outcome TEXT NOT NULL, why TEXT, at INTEGER,
  PRIMARY KEY (id, source)
) STRICT;
CREATE INDEX guard_outcomes_rule ON guard_outcomes(rule);
CREATE TABLE guard_wakes (id TEXT PRIMARY KEY, rule TEXT NOT NULL, at INTEGER) STRICT;
`;
