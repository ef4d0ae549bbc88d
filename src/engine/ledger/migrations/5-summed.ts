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

-- Hooks that are single no more (HookSums). The day's begin in UTC; '' is what was not told; how long they took, as DurationCounts has it.
CREATE TABLE hook_sums (
  day INTEGER NOT NULL, program TEXT NOT NULL, event TEXT NOT NULL, outcome TEXT NOT NULL,
  hooks INTEGER NOT NULL, injected_chars INTEGER NOT NULL, durations TEXT NOT NULL,
  PRIMARY KEY (day, program, event, outcome)
) STRICT;
CREATE INDEX hook_events_at ON hook_events(at);
`;
