/**
 * The fifth migration: stored sums, and sums of old hook events. Each session's usage, calls and rereads are summed
 * when they are first asked for (`SessionSums`). Any new entry of the session discards its sums; they hold nothing that
 * cannot be derived again.
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
