/**
 * The fourth migration: runs of golden tasks record the bench they belong to, and rules get a history, receipts and
 * compiled memories.
 */
export const measuredTables = `
ALTER TABLE runs ADD COLUMN bench_id TEXT;
ALTER TABLE runs ADD COLUMN task_id TEXT;
ALTER TABLE runs ADD COLUMN suite_hash TEXT;
ALTER TABLE runs ADD COLUMN fixture_hash TEXT;
ALTER TABLE runs ADD COLUMN configuration_hash TEXT;
ALTER TABLE runs ADD COLUMN driver TEXT;
ALTER TABLE runs ADD COLUMN recorded_by TEXT;
ALTER TABLE runs ADD COLUMN outcome TEXT;
ALTER TABLE runs ADD COLUMN round INTEGER;
ALTER TABLE runs ADD COLUMN turns INTEGER;
-- A golden task's session is nobody's real work, whatever its transcript tells besides.
CREATE INDEX runs_golden ON runs(session_id) WHERE task_hash IS NOT NULL;
CREATE INDEX runs_bench ON runs(bench_id) WHERE bench_id IS NOT NULL;

-- What a task takes depends on the model, the suite and the driver as well. Empty is what was not told before.
CREATE TABLE baselines_4 (
  agent TEXT NOT NULL, task_hash TEXT NOT NULL, model TEXT NOT NULL, suite_hash TEXT NOT NULL, driver TEXT NOT NULL,
  task_id TEXT, run1_tokens INTEGER NOT NULL, best_tokens INTEGER NOT NULL, at INTEGER,
  PRIMARY KEY (agent, task_hash, model, suite_hash, driver)
) STRICT;
INSERT INTO baselines_4 SELECT agent, task_hash, '', '', '', NULL, run1_tokens, best_tokens, at FROM baselines;
DROP TABLE baselines;
ALTER TABLE baselines_4 RENAME TO baselines;

ALTER TABLE rules ADD COLUMN origin TEXT;
ALTER TABLE rules ADD COLUMN source TEXT;
ALTER TABLE rules ADD COLUMN audited_at INTEGER;

CREATE TABLE rule_steps (
  id TEXT PRIMARY KEY, rule_id TEXT NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL,
  from_status TEXT, to_status TEXT NOT NULL, why TEXT NOT NULL
) STRICT;
CREATE INDEX rule_steps_rule ON rule_steps(rule_id);

-- Immutable: what a verdict rested on.
CREATE TABLE receipts (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, subject_id TEXT NOT NULL, at INTEGER NOT NULL, verdict TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT;
CREATE INDEX receipts_subject ON receipts(subject, subject_id);

CREATE TABLE memories (
  agent TEXT NOT NULL, version TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, rule_ids TEXT NOT NULL,
  made_by TEXT NOT NULL, PRIMARY KEY (agent, version)
) STRICT;

ALTER TABLE questions ADD COLUMN to_agent TEXT;
ALTER TABLE questions ADD COLUMN chars INTEGER;
`;
