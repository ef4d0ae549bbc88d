/** The fifteenth migration: a table for what the next session needs of a session. */
export const packetsTable = `
CREATE TABLE resume_packets (
  session_id TEXT NOT NULL REFERENCES sessions(id), occasion TEXT NOT NULL, at INTEGER, turn INTEGER NOT NULL, program TEXT,
  folder TEXT, branch TEXT, packet TEXT, PRIMARY KEY (session_id, occasion)
) STRICT;
CREATE INDEX resume_packets_place ON resume_packets(folder, branch, at);
`;
