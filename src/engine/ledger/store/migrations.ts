/**
 * The version of the first schema, as `PRAGMA user_version`. Lower numbers are ledgers from before the first release:
 * `migrate` copies the rows of all tables and columns that the first schema has, secrets are removed, and transcripts
 * are read again.
 */
export const firstVersion = 24;

/** Steps after the first schema, oldest first; each adds 1 to `PRAGMA user_version`. A released step is never edited. */
export const migrations: readonly string[] = [
  // Each session's cost by its causes, computed when first asked for.
  `CREATE TABLE session_costs (
    session_id TEXT PRIMARY KEY REFERENCES sessions(id), basis TEXT NOT NULL, sums TEXT NOT NULL
  ) STRICT;`,
  // What shortened outputs saved, and the calls that followed them.
  `ALTER TABLE guard_hits ADD COLUMN command TEXT;
  CREATE TABLE guard_follow_ups (
    id TEXT PRIMARY KEY, hit TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, at INTEGER,
    how TEXT NOT NULL, call_id TEXT, bytes INTEGER
  ) STRICT;
  CREATE INDEX guard_follow_ups_hit ON guard_follow_ups(hit);
  CREATE INDEX guard_follow_ups_session ON guard_follow_ups(session_id);
  CREATE TABLE session_savings (
    session_id TEXT PRIMARY KEY REFERENCES sessions(id), basis TEXT NOT NULL, sums TEXT NOT NULL
  ) STRICT;`,
  // The call that a hook precedes, by the agent's own id.
  `ALTER TABLE hook_events ADD COLUMN call TEXT;`,
  // Trials with adapted chances, and the chances of each draw.
  `ALTER TABLE trials ADD COLUMN hold_out REAL;
  ALTER TABLE trials ADD COLUMN switches_off INTEGER;
  ALTER TABLE draws ADD COLUMN chances TEXT;`,
  // The machine of each row ('' is this one), its version, and which responses machines took back.
  `ALTER TABLE sessions ADD COLUMN machine TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE responses ADD COLUMN machine TEXT NOT NULL DEFAULT '';
  ALTER TABLE responses ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tool_calls ADD COLUMN machine TEXT NOT NULL DEFAULT '';
  ALTER TABLE tool_calls ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE subagents ADD COLUMN machine TEXT NOT NULL DEFAULT '';
  ALTER TABLE subagents ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE machines (id TEXT PRIMARY KEY, label TEXT NOT NULL, cursor TEXT, synced_at INTEGER) STRICT;
  CREATE TABLE retractions (
    machine TEXT NOT NULL, session_id TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (machine, session_id)
  ) STRICT;
  INSERT OR IGNORE INTO meta VALUES ('ledger', abs(random() % 281474976710656));`,
];

/** The version of a ledger after all steps. */
export function latestVersion(steps: readonly string[] = migrations): number {
  return firstVersion + steps.length;
}

/** The tables of the first release. Times are milliseconds since the epoch. Never edited after a release: a change is a step in `migrations.ts`. */
export const firstSchema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, program TEXT, cwd TEXT, branch TEXT, title TEXT,
  first_at INTEGER, last_at INTEGER, parent_id TEXT, official_usd REAL,
  counted_before INTEGER
) STRICT;
-- A row per copy: copies of one message differ in request or chain. Each response is counted once.
CREATE TABLE responses (
  message_id TEXT NOT NULL, request_id TEXT, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT,
  model TEXT NOT NULL, at INTEGER, cwd TEXT, branch TEXT,
  is_sidechain INTEGER NOT NULL, is_copy INTEGER NOT NULL, is_counted INTEGER NOT NULL,
  input INTEGER NOT NULL, output INTEGER NOT NULL,
  cache_creation_5m INTEGER NOT NULL, cache_creation_1h INTEGER NOT NULL, cache_read INTEGER NOT NULL,
  raw TEXT,
  price_terms TEXT, last_context INTEGER, last_output INTEGER
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
  session_reused INTEGER, task_session_reused INTEGER, fresh_session INTEGER, rotated INTEGER,
  rotation_reason TEXT, prompt_chars INTEGER, instructions_chars INTEGER, has_instructions_file INTEGER,
  skill_set_hash TEXT, skill_count INTEGER, context_fetch_mode TEXT NOT NULL,
  bench_id TEXT, task_id TEXT, suite_hash TEXT, fixture_hash TEXT, configuration_hash TEXT, driver TEXT, recorded_by TEXT, outcome TEXT, round INTEGER, turns INTEGER
) STRICT;
CREATE INDEX runs_session ON runs(session_id);
-- Completed real work, the newest first: a hook waits for it.
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
  decided_reason TEXT, is_protected INTEGER, probation INTEGER, replaces TEXT,
  origin TEXT, source TEXT, audited_at INTEGER
) STRICT;
CREATE INDEX rules_agent ON rules(agent, status);
CREATE TABLE questions (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, session_id TEXT REFERENCES sessions(id), at INTEGER,
  body TEXT NOT NULL, status TEXT NOT NULL, answered_at INTEGER,
  to_agent TEXT, chars INTEGER
) STRICT;
CREATE TABLE comparisons (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, subject TEXT NOT NULL, one TEXT NOT NULL, other TEXT NOT NULL, at INTEGER,
  status TEXT NOT NULL, verdict TEXT, delta_tokens REAL, standard_error REAL, runs_one INTEGER, runs_other INTEGER,
  passed_one INTEGER, passed_other INTEGER, suite_hash TEXT, decided_at INTEGER
) STRICT;
CREATE TABLE subagents (
  session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT NOT NULL, type TEXT, description TEXT,
  PRIMARY KEY (session_id, agent_id)
) STRICT;
-- Characters in a request to the model, by kind. Never the text itself.
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
-- The session of a golden task is never real work, whatever its transcript contains.
CREATE INDEX runs_golden ON runs(session_id) WHERE task_hash IS NOT NULL;
CREATE INDEX runs_bench ON runs(bench_id) WHERE bench_id IS NOT NULL;
-- An empty text is a value that was not recorded.
CREATE TABLE baselines (
  agent TEXT NOT NULL, task_hash TEXT NOT NULL, model TEXT NOT NULL, suite_hash TEXT NOT NULL, driver TEXT NOT NULL,
  task_id TEXT, run1_tokens INTEGER NOT NULL, best_tokens INTEGER NOT NULL, at INTEGER,
  PRIMARY KEY (agent, task_hash, model, suite_hash, driver)
) STRICT;
CREATE TABLE rule_steps (
  id TEXT PRIMARY KEY, rule_id TEXT NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL,
  from_status TEXT, to_status TEXT NOT NULL, why TEXT NOT NULL
) STRICT;
CREATE INDEX rule_steps_rule ON rule_steps(rule_id);
-- Immutable: the evidence of a verdict.
CREATE TABLE receipts (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, subject_id TEXT NOT NULL, at INTEGER NOT NULL, verdict TEXT NOT NULL,
  json TEXT NOT NULL,
  driver TEXT, saving REAL, is_shared INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX receipts_subject ON receipts(subject, subject_id);
CREATE TABLE memories (
  agent TEXT NOT NULL, version TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, rule_ids TEXT NOT NULL,
  made_by TEXT NOT NULL, PRIMARY KEY (agent, version)
) STRICT;
-- Sums are computed when first asked for (SessionSums). A new entry of the session removes them.
CREATE TABLE session_usage (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id), basis TEXT NOT NULL, sums TEXT NOT NULL
) STRICT;
CREATE TABLE session_calls (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id), basis TEXT NOT NULL, sums TEXT NOT NULL
) STRICT;
CREATE TABLE session_rereads (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id), basis TEXT NOT NULL, sums TEXT NOT NULL
) STRICT;
-- Sums of old hook events (HookSums). Days begin in UTC; '' is a value that was not recorded.
CREATE TABLE hook_sums (
  day INTEGER NOT NULL, program TEXT NOT NULL, event TEXT NOT NULL, outcome TEXT NOT NULL,
  hooks INTEGER NOT NULL, injected_chars INTEGER NOT NULL, durations TEXT NOT NULL,
  PRIMARY KEY (day, program, event, outcome)
) STRICT;
CREATE INDEX hook_events_at ON hook_events(at);
-- A replay, and what was measured together, is recognized without reading the JSON again.
CREATE TRIGGER receipts_driver AFTER INSERT ON receipts WHEN json_valid(NEW.json) BEGIN
  UPDATE receipts SET driver = coalesce(CASE json_type(NEW.json, '$.driver') WHEN 'text' THEN json_extract(NEW.json, '$.driver') END, CASE json_type(NEW.json, '$.evidence.driver') WHEN 'text' THEN json_extract(NEW.json, '$.evidence.driver') END),
    saving = CASE WHEN json_type(NEW.json, '$.verdict.saving.value') IN ('integer', 'real') THEN json_extract(NEW.json, '$.verdict.saving.value') END WHERE id = NEW.id;
END;
CREATE TABLE trials (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, project TEXT, rule_ids TEXT NOT NULL, planned INTEGER NOT NULL,
  started_at INTEGER NOT NULL, stopped_at INTEGER, approved_by TEXT NOT NULL
) STRICT;
CREATE TABLE draws (
  trial_id TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), continues TEXT, at INTEGER,
  given TEXT, withheld TEXT, program TEXT, project TEXT, branch_kind TEXT, hour INTEGER, prompt_chars INTEGER,
  delivered_at INTEGER, PRIMARY KEY (trial_id, session_id)
) STRICT;
CREATE INDEX draws_session ON draws(session_id);
CREATE TABLE trial_prompts (
  session_id TEXT NOT NULL REFERENCES sessions(id), id TEXT NOT NULL, at INTEGER NOT NULL, corrects INTEGER NOT NULL,
  PRIMARY KEY (session_id, id)
) STRICT;
CREATE TRIGGER receipts_shared AFTER INSERT ON receipts WHEN json_valid(NEW.json) BEGIN
  UPDATE receipts SET is_shared = coalesce(json_array_length(NEW.json, '$.together') > 0, 0) WHERE id = NEW.id;
END;
CREATE TABLE guard_hits (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), agent_id TEXT, at INTEGER, program TEXT,
  tool TEXT, rule TEXT NOT NULL, family TEXT NOT NULL, action TEXT NOT NULL, done TEXT NOT NULL, excerpt TEXT,
  folder TEXT, saved_bytes INTEGER
) STRICT;
CREATE INDEX guard_hits_at ON guard_hits(at);
CREATE TABLE session_states (
  session_id TEXT NOT NULL REFERENCES sessions(id), turn INTEGER NOT NULL, at INTEGER, program TEXT, folder TEXT,
  phase TEXT NOT NULL, trust INTEGER NOT NULL, focus INTEGER NOT NULL, calls INTEGER NOT NULL, errors INTEGER NOT NULL,
  switches INTEGER NOT NULL, dead_ends INTEGER NOT NULL, edited INTEGER NOT NULL, verified INTEGER NOT NULL,
  details TEXT, PRIMARY KEY (session_id, turn)
) STRICT;
CREATE INDEX session_states_at ON session_states(at);
CREATE TABLE guard_outcomes (
  id TEXT NOT NULL, source TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), rule TEXT NOT NULL, family TEXT NOT NULL,
  done TEXT NOT NULL, outcome TEXT NOT NULL, why TEXT, at INTEGER,
  PRIMARY KEY (id, source)
) STRICT;
CREATE INDEX guard_outcomes_rule ON guard_outcomes(rule);
CREATE TABLE guard_wakes (id TEXT PRIMARY KEY, rule TEXT NOT NULL, at INTEGER) STRICT;
CREATE TABLE resume_packets (
  session_id TEXT NOT NULL REFERENCES sessions(id), occasion TEXT NOT NULL, at INTEGER, turn INTEGER NOT NULL, program TEXT,
  folder TEXT, branch TEXT, packet TEXT, PRIMARY KEY (session_id, occasion)
) STRICT;
CREATE INDEX resume_packets_place ON resume_packets(folder, branch, at);
CREATE TABLE learn_cursors (id TEXT PRIMARY KEY, stamp TEXT NOT NULL, tasks TEXT) STRICT;
CREATE TABLE events (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), task TEXT NOT NULL, program TEXT NOT NULL,
  project TEXT NOT NULL, at INTEGER, turns INTEGER NOT NULL, origin TEXT, stamp TEXT NOT NULL, facts TEXT
) STRICT;
CREATE INDEX events_project ON events(project, task);
CREATE TABLE learned (
  id TEXT PRIMARY KEY, task TEXT NOT NULL, project TEXT NOT NULL, text TEXT NOT NULL, subject TEXT, remedy TEXT,
  sessions INTEGER NOT NULL, times INTEGER NOT NULL, good INTEGER NOT NULL, evidence TEXT, at INTEGER, score INTEGER
) STRICT;
CREATE INDEX learned_project ON learned(project, task);
CREATE TABLE learned_marks (id TEXT PRIMARY KEY, state TEXT NOT NULL, text TEXT, at INTEGER) STRICT;
CREATE TABLE learned_uses (
  id TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), rule TEXT, at INTEGER, PRIMARY KEY (id, session_id)
) STRICT;
CREATE TABLE working_set (
  id TEXT PRIMARY KEY, project TEXT NOT NULL, path TEXT NOT NULL, score INTEGER NOT NULL, reads INTEGER NOT NULL,
  edits INTEGER NOT NULL, sessions INTEGER NOT NULL, at INTEGER
) STRICT;
CREATE INDEX working_set_project ON working_set(project);
CREATE TABLE dead_ends (
  id TEXT PRIMARY KEY, project TEXT NOT NULL, text TEXT NOT NULL, how TEXT NOT NULL, sessions INTEGER NOT NULL,
  times INTEGER NOT NULL, evidence TEXT, at INTEGER, score INTEGER
) STRICT;
CREATE INDEX dead_ends_project ON dead_ends(project);
CREATE TABLE effectiveness (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, phase TEXT, helped INTEGER NOT NULL, failed INTEGER NOT NULL
) STRICT;
CREATE TABLE compaction_diffs (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), program TEXT, "trigger" TEXT, at INTEGER, items TEXT
) STRICT;
CREATE INDEX compaction_diffs_session ON compaction_diffs(session_id);
CREATE TABLE put_backs (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), diff_id TEXT NOT NULL, item_id TEXT NOT NULL,
  chosen_at INTEGER, given_at INTEGER
) STRICT;
CREATE INDEX put_backs_diff ON put_backs(diff_id);
CREATE TABLE handovers (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), program TEXT, at INTEGER, folder TEXT, branch TEXT,
  head_commit TEXT, changes TEXT, file_hash TEXT, carried_tokens INTEGER, document_tokens INTEGER, state TEXT NOT NULL,
  to_program TEXT, started_at INTEGER, to_session TEXT, taken_at INTEGER
) STRICT;
CREATE INDEX handovers_at ON handovers(at);
CREATE INDEX handovers_session ON handovers(session_id);
-- Sums of old guard hits with their outcomes (GuardSums). Days begin in UTC; '' is an unknown outcome.
CREATE TABLE guard_sums (
  day INTEGER NOT NULL, session_id TEXT NOT NULL REFERENCES sessions(id), rule TEXT NOT NULL, family TEXT NOT NULL, action TEXT NOT NULL,
  done TEXT NOT NULL, outcome TEXT NOT NULL, hits INTEGER NOT NULL, saved_bytes INTEGER NOT NULL, last_at INTEGER NOT NULL,
  PRIMARY KEY (day, session_id, rule, family, action, done, outcome)
) STRICT;
CREATE INDEX guard_sums_session ON guard_sums(session_id);
CREATE INDEX guard_hits_session ON guard_hits(session_id);
CREATE INDEX resume_packets_at ON resume_packets(at);
CREATE TABLE scorecards (session_id TEXT PRIMARY KEY REFERENCES sessions(id), at INTEGER, card TEXT) STRICT;
CREATE TABLE given_packets (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id), from_session TEXT NOT NULL, at INTEGER, tokens INTEGER NOT NULL
) STRICT;
CREATE TABLE wakes (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, project TEXT NOT NULL, program TEXT NOT NULL, model TEXT NOT NULL, task_id TEXT,
  source TEXT NOT NULL, at INTEGER NOT NULL, ended_at INTEGER NOT NULL, session_id TEXT REFERENCES sessions(id), reason TEXT NOT NULL,
  cause TEXT, resume_failed INTEGER NOT NULL, outcome TEXT NOT NULL, detail TEXT, turns INTEGER NOT NULL, input INTEGER, output INTEGER,
  cache_creation5m INTEGER, cache_creation1h INTEGER, cache_read INTEGER, normalized_input INTEGER, raw_input INTEGER,
  raw_output INTEGER, usd REAL, fetch_mode TEXT NOT NULL, full_fetches INTEGER NOT NULL, delta_fetches INTEGER NOT NULL,
  summary_fetches INTEGER NOT NULL, prompt_chars INTEGER NOT NULL, instructions_chars INTEGER NOT NULL, has_instructions INTEGER,
  skills TEXT, skill_bytes INTEGER, skills_hash TEXT, definition_hash TEXT, state_before TEXT, state_after TEXT
) STRICT;
CREATE INDEX wakes_at ON wakes(at);
CREATE INDEX wakes_session ON wakes(session_id);
INSERT INTO meta VALUES ('applied', 0);
`;
