CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
INSERT INTO meta VALUES ('applied', 0);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, program TEXT, cwd TEXT, branch TEXT, title TEXT,
  first_at INTEGER, last_at INTEGER, parent_id TEXT, official_usd REAL
) STRICT;
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
CREATE INDEX runs_real ON runs(agent, ended_at DESC, processing_tokens) WHERE task_hash IS NULL AND completed = 1;
CREATE TABLE hook_events (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, at INTEGER,
  event TEXT NOT NULL, tool TEXT, handler TEXT, outcome TEXT, rule TEXT, duration_ms REAL, injected_chars INTEGER
) STRICT;
CREATE INDEX hook_events_session ON hook_events(session_id);
CREATE TABLE positions (
  path TEXT PRIMARY KEY, identity TEXT NOT NULL, offset INTEGER NOT NULL, size INTEGER, modified_at REAL, state TEXT
) STRICT;
CREATE TABLE rules (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, body TEXT NOT NULL, status TEXT NOT NULL, scope TEXT,
  measured_delta REAL, context_cost INTEGER, source_run TEXT, created_at INTEGER, decided_at INTEGER,
  decided_reason TEXT, is_protected INTEGER, probation INTEGER, replaces TEXT
) STRICT;
CREATE INDEX rules_agent ON rules(agent, status);
CREATE TABLE baselines (
  agent TEXT NOT NULL, task_hash TEXT NOT NULL, run1_tokens INTEGER NOT NULL, best_tokens INTEGER NOT NULL, at INTEGER,
  PRIMARY KEY (agent, task_hash)
) STRICT;
CREATE TABLE ruleset_versions (
  agent TEXT NOT NULL, version TEXT NOT NULL, at INTEGER, hash TEXT, rule_ids TEXT, rent_tokens INTEGER,
  PRIMARY KEY (agent, version)
) STRICT;
CREATE TABLE questions (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, session_id TEXT REFERENCES sessions(id), at INTEGER,
  body TEXT NOT NULL, status TEXT NOT NULL, answered_at INTEGER
) STRICT;
CREATE TABLE comparisons (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, subject TEXT NOT NULL, one TEXT NOT NULL, other TEXT NOT NULL, at INTEGER,
  status TEXT NOT NULL, verdict TEXT, delta_tokens REAL, standard_error REAL, runs_one INTEGER, runs_other INTEGER,
  passed_one INTEGER, passed_other INTEGER, suite_hash TEXT, decided_at INTEGER
) STRICT;
CREATE TABLE budget_usage (
  scope TEXT NOT NULL, scope_id TEXT NOT NULL, period TEXT NOT NULL, tokens INTEGER NOT NULL, usd REAL, at INTEGER,
  PRIMARY KEY (scope, scope_id, period)
) STRICT;
CREATE TABLE learned_headroom (
  model TEXT NOT NULL, "window" INTEGER NOT NULL, tokens INTEGER NOT NULL, samples INTEGER NOT NULL, at INTEGER,
  PRIMARY KEY (model, "window")
) STRICT;
CREATE TABLE subagents (
  session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT NOT NULL, type TEXT, description TEXT,
  PRIMARY KEY (session_id, agent_id)
) STRICT;
CREATE TABLE context_fills (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, message_id TEXT,
  at INTEGER, parts TEXT
) STRICT;
CREATE INDEX context_fills_session ON context_fills(session_id);
CREATE TABLE plan_limits (
  program TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, used_percent REAL NOT NULL,
  window_minutes INTEGER, resets_at INTEGER,
  PRIMARY KEY (program, name, at)
) STRICT;
CREATE TABLE anomalies (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, cause TEXT NOT NULL,
  at INTEGER, value REAL, usual REAL, turns TEXT, shown_at INTEGER
) STRICT;
CREATE INDEX anomalies_session ON anomalies(session_id);
CREATE INDEX tool_calls_message ON tool_calls(message_id);
PRAGMA user_version = 3;
