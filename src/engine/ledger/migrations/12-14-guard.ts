/** The twelfth migration: a table for guard rules that fired on agents' tool calls. */
export const guardedTables = `
CREATE TABLE guard_hits (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, at INTEGER, program TEXT,
  tool TEXT, rule TEXT NOT NULL, family TEXT NOT NULL, action TEXT NOT NULL, done TEXT NOT NULL, excerpt TEXT,
  folder TEXT, saved_bytes INTEGER
) STRICT;
CREATE INDEX guard_hits_at ON guard_hits(at);
`;

/** The thirteenth migration: a table for the state of sessions' work, a row for each turn. */
export const statesTable = `
CREATE TABLE session_states (
  session_id TEXT NOT NULL REFERENCES sessions(id), turn INTEGER NOT NULL, at INTEGER, program TEXT, folder TEXT,
  phase TEXT NOT NULL, trust INTEGER NOT NULL, focus INTEGER NOT NULL, calls INTEGER NOT NULL, errors INTEGER NOT NULL,
  switches INTEGER NOT NULL, dead_ends INTEGER NOT NULL, edited INTEGER NOT NULL, verified INTEGER NOT NULL,
  details TEXT, PRIMARY KEY (session_id, turn)
) STRICT;
CREATE INDEX session_states_at ON session_states(at);
`;

/** The fourteenth migration: tables for what came of guard rules, and for those that were called back. */
export const effectTables = `
CREATE TABLE guard_outcomes (
  id TEXT NOT NULL, source TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), rule TEXT NOT NULL, family TEXT NOT NULL,
  done TEXT NOT NULL, outcome TEXT NOT NULL, why TEXT, at INTEGER,
  PRIMARY KEY (id, source)
) STRICT;
CREATE INDEX guard_outcomes_rule ON guard_outcomes(rule);
CREATE TABLE guard_wakes (id TEXT PRIMARY KEY, rule TEXT NOT NULL, at INTEGER) STRICT;
`;
