/**
 * The first migration: tables for what is collected from transcripts and hooks. Times in milliseconds since the epoch.
 */
export const collectedTables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
INSERT INTO meta VALUES ('applied', 0);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY, program TEXT, cwd TEXT, branch TEXT, title TEXT,
  first_at INTEGER, last_at INTEGER, parent_id TEXT, official_usd REAL
) STRICT;

-- A row a copy: copies of one message differ in request or chain. Those that are counted are each response once.
CREATE TABLE responses (
  message_id TEXT NOT NULL, request_id TEXT, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT,
  model TEXT NOT NULL, at INTEGER, cwd TEXT, branch TEXT,
  is_sidechain INTEGER NOT NULL, is_copy INTEGER NOT NULL, is_counted INTEGER NOT NULL,
  input INTEGER NOT NULL, output INTEGER NOT NULL,
  cache_creation_5m INTEGER NOT NULL, cache_creation_1h INTEGER NOT NULL, cache_read INTEGER NOT NULL,
  raw TEXT
) STRICT;
CREATE INDEX responses_message ON responses(message_id);
CREATE INDEX responses_session ON responses(session_id);

CREATE TABLE tool_calls (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, message_id TEXT, at INTEGER,
  tool TEXT, server TEXT, skill TEXT, input_chars INTEGER, result_chars INTEGER, duration_ms INTEGER, is_error INTEGER
) STRICT;
CREATE INDEX tool_calls_session ON tool_calls(session_id);

CREATE TABLE file_reads (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, at INTEGER,
  path TEXT, chars INTEGER
) STRICT;
CREATE INDEX file_reads_session ON file_reads(session_id);

CREATE TABLE compactions (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, at INTEGER,
  "trigger" TEXT NOT NULL, is_sidechain INTEGER NOT NULL, model TEXT, long_context INTEGER NOT NULL,
  pre_tokens INTEGER, post_tokens INTEGER
) STRICT;
CREATE INDEX compactions_session ON compactions(session_id);

CREATE TABLE runs (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent TEXT NOT NULL,
  project TEXT, branch TEXT, model TEXT, started_at INTEGER, ended_at INTEGER, duration_ms INTEGER,
  input INTEGER NOT NULL, output INTEGER NOT NULL, cache_creation INTEGER NOT NULL, cache_read INTEGER NOT NULL,
  processing_tokens INTEGER NOT NULL GENERATED ALWAYS AS (input + output + cache_creation) VIRTUAL,
  tool_calls INTEGER, files_reread INTEGER, completed INTEGER NOT NULL, task_hash TEXT, config TEXT NOT NULL,
  ruleset_version TEXT, session_reused INTEGER, task_session_reused INTEGER, fresh_session INTEGER, rotated INTEGER,
  rotation_reason TEXT, prompt_chars INTEGER, instructions_chars INTEGER, has_instructions_file INTEGER,
  skill_set_hash TEXT, skill_count INTEGER, context_fetch_mode TEXT NOT NULL
) STRICT;
CREATE INDEX runs_session ON runs(session_id);
-- Completed real work, the newest first: asked for on the way of a hook.
CREATE INDEX runs_real ON runs(agent, ended_at DESC, processing_tokens) WHERE task_hash IS NULL AND completed = 1;

CREATE TABLE hook_events (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, at INTEGER,
  event TEXT NOT NULL, tool TEXT, handler TEXT, outcome TEXT, rule TEXT, duration_ms REAL, injected_chars INTEGER
) STRICT;
CREATE INDEX hook_events_session ON hook_events(session_id);

CREATE TABLE positions (
  path TEXT PRIMARY KEY, identity TEXT NOT NULL, offset INTEGER NOT NULL, size INTEGER, modified_at REAL, state TEXT
) STRICT;
`;
