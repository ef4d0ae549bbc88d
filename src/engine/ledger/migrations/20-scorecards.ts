/** The twentieth migration: tables for what sessions came to when they ended, and for packets that sessions got. */
export const scorecardTables = `
CREATE TABLE scorecards (session_id TEXT PRIMARY KEY REFERENCES sessions(id), at INTEGER, card TEXT) STRICT;
CREATE TABLE given_packets (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id), from_session TEXT NOT NULL, at INTEGER, tokens INTEGER NOT NULL
) STRICT;
`;
