/**
 * The fifth migration: sums that are kept, and what becomes of hooks. What each session used, called and read again is summed when it is
 * first asked for (`SessionSums`): whatever is told of the session lets go of them, and they are nobody's truth.
 */
export const summedTables = `
CREATE TABLE session_usage (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id), basis TEXT NOT NULL, sums TEXT NOT NULL
) STRICT;
CREATE TABLE session_calls (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id), basis TEXT NOT NULL, sums TEXT NOT NULL
) STRICT;
CREATE TABLE session_rereads (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id), basis TEXT NOT NULL, sums TEXT NOT NULL
) STRICT;
`;
