/** The tenth migration: a table for the prompts of sessions that have drawn rules on trial. */
export const promptedTable = `
CREATE TABLE trial_prompts (
  session_id TEXT NOT NULL REFERENCES sessions(id), id TEXT NOT NULL, at INTEGER NOT NULL, corrects INTEGER NOT NULL,
  PRIMARY KEY (session_id, id)
) STRICT;
`;
