/** The second migration: tables for what is learned, measured and decided. */
export const selectedTables = `
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
`;
