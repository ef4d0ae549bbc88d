import { flagIn, maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import { type LedgerBasis, foldersOfProject } from "../basis.ts";
import { mainAgentId, completedRealWork } from "../store/run-conditions.ts";
import type { Database } from "../store/database.ts";
import { indexMessages } from "../store/message-index.ts";

/** A rule as the ledger holds it; `src/engine/rules` interprets its texts. Times in milliseconds since the epoch. */
export interface RuleRow {
  readonly id: string;
  readonly agent: string;
  readonly body: string;
  readonly status: string;
  readonly scope: string | null;
  /** Tokens saved per completed run. */
  readonly measuredDelta: number | null;
  /** Its rent. Tokens. */
  readonly contextCost: number | null;
  readonly sourceRun: string | null;
  readonly createdAt: number | null;
  readonly decidedAt: number | null;
  readonly decidedReason: string | null;
  readonly isProtected: boolean;
  readonly strikes: number;
  readonly replaces: string | null;
  readonly origin: string | null;
  /** JSON. */
  readonly source: string | null;
  readonly auditedAt: number | null;
}

export interface RuleStepRow {
  readonly id: string;
  readonly ruleId: string;
  readonly at: number;
  readonly who: string;
  readonly fromStatus: string | null;
  readonly toStatus: string;
  readonly why: string;
}

/** A receipt without its JSON, which is requested separately. */
interface ReceiptRow {
  readonly id: string;
  readonly subject: string;
  readonly subjectId: string;
  readonly at: number;
  readonly verdict: string;
  /** The driver of its runs; null for a receipt without runs. */
  readonly driver: string | null;
  /** Processing tokens saved per completed run; null without a figure. */
  readonly saving: number | null;
  /** Whether its runs were shared with other rules. */
  readonly isShared: boolean;
}

interface MemoryRow {
  readonly agent: string;
  readonly version: string;
  readonly at: number;
  readonly text: string;
  readonly ruleIds: readonly string[];
  readonly madeBy: string;
}

/** A recent question from one agent to another, or to a person. */
interface AskedQuestion {
  readonly agent: string;
  readonly toAgent: string | null;
  readonly body: string;
}

export interface RuleBook {
  /** Oldest first. */
  readonly rules: readonly RuleRow[];
  /** In the order they were taken. */
  readonly steps: readonly RuleStepRow[];
  /** Newest first. */
  readonly receipts: readonly ReceiptRow[];
  /** Newest first. */
  readonly memories: readonly MemoryRow[];
  /** Newest first, at most 50. */
  readonly questions: readonly AskedQuestion[];
}

export function selectRuleBook(db: Database): RuleBook {
  return {
    rules: rulesOf(db),
    steps: stepsOf(db),
    receipts: receiptsOf(db),
    memories: memoriesOf(db),
    questions: questionsOf(db),
  };
}

export function selectReceipt(db: Database, id: string): string | null {
  return db.first("SELECT json FROM receipts WHERE id = ?", [id], ([json]) => textIn(json)) ?? null;
}

/** A completed run of real work. */
export interface RealRun {
  readonly id: string;
  readonly sessionId: string;
  /** The coding agent; `claude-code` also for a session that reported none. */
  readonly program: string;
  /** The subagent's type, or `main`. */
  readonly agent: string;
  readonly project: string | null;
  readonly model: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number;
  readonly processingTokens: number;
  readonly toolCalls: number | null;
  readonly filesReread: number | null;
  /** The version of its agent's memory when the run began; null if there was none yet. */
  readonly rulesetVersion: string | null;
}

/**
 * The memory version in force when a run began. It is looked up at query time: transcripts do not contain it, and a
 * version may be recorded after a run that began with it. Only Claude Code has memories. When the user's own file was
 * stored as a version, purser's file replaced it at the same time, in a later row.
 */
const rulesetVersion = `(SELECT version FROM memories
         WHERE ranked.program = 'claude-code' AND memories.agent = real.agent AND memories.at <= real.started_at ORDER BY memories.at DESC, memories.rowid DESC LIMIT 1)`;

/**
 * The most recently ended runs of real work, oldest first. Ranks row numbers instead of whole rows: SQLite holds all of
 * them at once, and its memory never shrinks again.
 *
 * @param asked most: maximum runs per agent and program, as each has its own usual figures; project: null for all
 */
export function selectRealRuns(
  db: Database,
  { most, project }: { readonly most: number; readonly project: string | null },
  basis: Pick<LedgerBasis, "projectOf">,
): RealRun[] {
  return db.rows(
    `SELECT id, session_id, agent, project, model, started_at, ended_at, processing_tokens, tool_calls, files_reread,
       ${rulesetVersion}, program
     FROM (SELECT runs.rowid AS run, coalesce(sessions.program, 'claude-code') AS program,
             row_number() OVER (PARTITION BY coalesce(sessions.program, 'claude-code'), agent ORDER BY ended_at DESC) AS place
           FROM runs JOIN sessions ON sessions.id = session_id WHERE ${completedRealWork} AND ended_at IS NOT NULL
               AND (?2 IS NULL OR project IN (SELECT value FROM json_each(?2))))
     AS ranked JOIN runs AS real ON real.rowid = run WHERE place <= ?1 ORDER BY ended_at`,
    [most, foldersOfProject(db, { project, column: "runs.project" }, basis)],
    (cells) => ({
      id: textIn(cells[0]),
      sessionId: textIn(cells[1]),
      program: textIn(cells[11]),
      agent: textIn(cells[2]),
      project: maybeTextIn(cells[3]),
      model: maybeTextIn(cells[4]),
      startedAt: maybeNumberIn(cells[5]),
      endedAt: numberIn(cells[6]),
      processingTokens: numberIn(cells[7]),
      toolCalls: maybeNumberIn(cells[8]),
      filesReread: maybeNumberIn(cells[9]),
      rulesetVersion: maybeTextIn(cells[10]),
    }),
  );
}

export interface RentFacts {
  /** Characters per token, for each of the newest requests; few or none if little was reported. */
  readonly charactersPerToken: readonly number[];
  /** By agent: the tokens that the first request of each of its newest conversations found in the prompt cache. */
  readonly cachedAtStart: ReadonlyMap<string, readonly number[]>;
}

/** Maximum requests and conversations evaluated: older ones are weak evidence. */
const [newestRequests, newestStarts] = [200, 20];

/** Characters per token, for each of the newest requests whose content and usage are known. */
export function selectCharactersPerToken(db: Database): number[] {
  indexMessages(db);
  return db.rows(
    `SELECT (SELECT sum(value) FROM json_each(parts)) * 1.0 /
       (input + cache_creation_5m + cache_creation_1h + cache_read)
     FROM (SELECT message_id, parts FROM context_fills
           WHERE parts IS NOT NULL AND message_id IS NOT NULL ORDER BY at DESC LIMIT ${newestRequests}) AS fills
     JOIN responses USING (message_id)
     WHERE is_counted = 1 AND input + cache_creation_5m + cache_creation_1h + cache_read > 0 AND json_valid(parts)`,
    [],
    ([ratio]) => numberIn(ratio),
  );
}

export function selectRentFacts(db: Database): RentFacts {
  const charactersPerToken = selectCharactersPerToken(db);
  const cachedAtStart = new Map<string, number[]>();
  db.rows(
    `SELECT agent, cache_read FROM (
       SELECT coalesce(subagents.type, 'main') AS agent, cache_read,
         row_number() OVER (PARTITION BY responses.session_id, responses.agent_id ORDER BY at) AS place, at
       FROM responses LEFT JOIN subagents ON subagents.session_id = responses.session_id
         AND subagents.agent_id = coalesce(responses.agent_id, '${mainAgentId}')
       WHERE is_counted = 1 AND is_sidechain = (responses.agent_id IS NOT NULL)
         AND responses.session_id IN (SELECT id FROM sessions ORDER BY last_at DESC LIMIT 500))
     WHERE place = 1 ORDER BY at DESC`,
    [],
    ([agent, cached]) => {
      const starts = cachedAtStart.get(textIn(agent)) ?? [];
      if (starts.length < newestStarts) starts.push(numberIn(cached));
      cachedAtStart.set(textIn(agent), starts);
    },
  );
  return { charactersPerToken, cachedAtStart };
}

function rulesOf(db: Database): RuleRow[] {
  return db.rows(
    `SELECT id, agent, body, status, scope, measured_delta, context_cost, source_run, created_at, decided_at,
       decided_reason, coalesce(is_protected, 0), coalesce(probation, 0), replaces, origin, source, audited_at
     FROM rules ORDER BY created_at, id`,
    [],
    (cells) => ({
      id: textIn(cells[0]),
      agent: textIn(cells[1]),
      body: textIn(cells[2]),
      status: textIn(cells[3]),
      scope: maybeTextIn(cells[4]),
      measuredDelta: maybeNumberIn(cells[5]),
      contextCost: maybeNumberIn(cells[6]),
      sourceRun: maybeTextIn(cells[7]),
      createdAt: maybeNumberIn(cells[8]),
      decidedAt: maybeNumberIn(cells[9]),
      decidedReason: maybeTextIn(cells[10]),
      isProtected: flagIn(cells[11]),
      strikes: numberIn(cells[12]),
      replaces: maybeTextIn(cells[13]),
      origin: maybeTextIn(cells[14]),
      source: maybeTextIn(cells[15]),
      auditedAt: maybeNumberIn(cells[16]),
    }),
  );
}

function stepsOf(db: Database): RuleStepRow[] {
  return db.rows(
    "SELECT id, rule_id, at, who, from_status, to_status, why FROM rule_steps ORDER BY at, rowid",
    [],
    (cells) => ({
      id: textIn(cells[0]),
      ruleId: textIn(cells[1]),
      at: numberIn(cells[2]),
      who: textIn(cells[3]),
      fromStatus: maybeTextIn(cells[4]),
      toStatus: textIn(cells[5]),
      why: textIn(cells[6]),
    }),
  );
}

function receiptsOf(db: Database): ReceiptRow[] {
  return db.rows(
    "SELECT id, subject, subject_id, at, verdict, driver, saving, is_shared FROM receipts ORDER BY at DESC, rowid DESC",
    [],
    (cells) => ({
      id: textIn(cells[0]),
      subject: textIn(cells[1]),
      subjectId: textIn(cells[2]),
      at: numberIn(cells[3]),
      verdict: textIn(cells[4]),
      driver: maybeTextIn(cells[5]),
      saving: maybeNumberIn(cells[6]),
      isShared: flagIn(cells[7]),
    }),
  );
}

function memoriesOf(db: Database): MemoryRow[] {
  return db.rows(
    "SELECT agent, version, at, text, rule_ids, made_by FROM memories ORDER BY at DESC, rowid DESC",
    [],
    (cells) => ({
      agent: textIn(cells[0]),
      version: textIn(cells[1]),
      at: numberIn(cells[2]),
      text: textIn(cells[3]),
      ruleIds: textIn(cells[4])
        .split(",")
        .filter((id) => id !== ""),
      madeBy: textIn(cells[5]),
    }),
  );
}

function questionsOf(db: Database): AskedQuestion[] {
  return db.rows("SELECT agent, to_agent, body FROM questions ORDER BY at DESC LIMIT 50", [], (cells) => ({
    agent: textIn(cells[0]),
    toAgent: maybeTextIn(cells[1]),
    body: textIn(cells[2]),
  }));
}
