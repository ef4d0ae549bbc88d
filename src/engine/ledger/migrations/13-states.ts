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
