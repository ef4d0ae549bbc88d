import { flagIn, maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import { type LedgerBasis, foldersOfProject } from "../basis.ts";
import { mainAgentId, completedRealWork } from "../store/run-conditions.ts";
import type { Database } from "../store/database.ts";
import { indexMessages } from "../store/message-index.ts";
import { readRows, type RowOf } from "../store/read-rows.ts";

/** A rule as the ledger holds it; `src/engine/rules` interprets its texts. Times in milliseconds since the epoch. */
const ruleRow = {
  id: textIn,
  agent: textIn,
  body: textIn,
  status: textIn,
  scope: maybeTextIn,
  /** Tokens saved per completed run. */
  measuredDelta: maybeNumberIn,
  /** Its rent when it was proposed, or last measured. Tokens. */
  contextCost: maybeNumberIn,
  sourceRun: maybeTextIn,
  createdAt: maybeNumberIn,
  decidedAt: maybeNumberIn,
  decidedReason: maybeTextIn,
  isProtected: flagIn,
  strikes: numberIn,
  replaces: maybeTextIn,
  origin: maybeTextIn,
  /** JSON. */
  source: maybeTextIn,
  auditedAt: maybeNumberIn,
};
export type RuleRow = RowOf<typeof ruleRow>;

const ruleStepRow = {
  id: textIn,
  ruleId: textIn,
  at: numberIn,
  who: textIn,
  fromStatus: maybeTextIn,
  toStatus: textIn,
  why: textIn,
};
export type RuleStepRow = RowOf<typeof ruleStepRow>;

/** A receipt without its JSON, which is requested separately. */
const receiptRow = {
  id: textIn,
  subject: textIn,
  subjectId: textIn,
  at: numberIn,
  verdict: textIn,
  /** The driver of its runs; null for a receipt without runs. */
  driver: maybeTextIn,
  /** Processing tokens saved per completed run; null without a figure. */
  saving: maybeNumberIn,
  /** Whether its runs were shared with other rules. */
  isShared: flagIn,
  /** Tokens that the rule had to save; null for any other subject. */
  bar: maybeNumberIn,
  /** JSON: what is expected of a rule, and what measuring it took. Null in older receipts, and for any other subject. */
  grade: maybeTextIn,
};
type ReceiptRow = RowOf<typeof receiptRow>;

interface MemoryRow {
  readonly agent: string;
  readonly version: string;
  readonly at: number;
  readonly text: string;
  readonly ruleIds: readonly string[];
  readonly madeBy: string;
}

/** A recent question from one agent to another, or to a person. */
const askedQuestion = {
  agent: textIn,
  toAgent: maybeTextIn,
  body: textIn,
};
type AskedQuestion = RowOf<typeof askedQuestion>;

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
const realRun = {
  id: textIn,
  sessionId: textIn,
  /** The coding agent; `claude-code` also for a session that reported none. */
  program: textIn,
  /** The subagent's type, or `main`. */
  agent: textIn,
  project: maybeTextIn,
  model: maybeTextIn,
  startedAt: maybeNumberIn,
  endedAt: numberIn,
  processingTokens: numberIn,
  toolCalls: maybeNumberIn,
  filesReread: maybeNumberIn,
  /** The version of its agent's memory when the run began; null if there was none yet. */
  rulesetVersion: maybeTextIn,
};
export type RealRun = RowOf<typeof realRun>;

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
  return readRows(db, realRun, {
    from: `FROM (SELECT runs.rowid AS run, coalesce(sessions.program, 'claude-code') AS program,
           row_number() OVER (PARTITION BY coalesce(sessions.program, 'claude-code'), agent ORDER BY ended_at DESC) AS place
         FROM runs JOIN sessions ON sessions.id = session_id WHERE ${completedRealWork} AND ended_at IS NOT NULL
             AND (?2 IS NULL OR project IN (SELECT value FROM json_each(?2))))
       AS ranked JOIN runs AS real ON real.rowid = run WHERE place <= ?1 ORDER BY ended_at`,
    values: [most, foldersOfProject(db, { project, column: "runs.project" }, basis)],
    sql: { rulesetVersion },
  });
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
  return readRows(db, ruleRow, {
    from: "FROM rules ORDER BY created_at, id",
    sql: { isProtected: "coalesce(is_protected, 0)", strikes: "coalesce(probation, 0)" },
  });
}

function stepsOf(db: Database): RuleStepRow[] {
  return readRows(db, ruleStepRow, { from: "FROM rule_steps ORDER BY at, rowid" });
}

function receiptsOf(db: Database): ReceiptRow[] {
  return readRows(db, receiptRow, {
    from: "FROM receipts ORDER BY at DESC, rowid DESC",
    // Only the small JSON of rules' own receipts is read.
    sql: {
      bar: "CASE WHEN subject = 'rule' AND json_valid(json) THEN json_extract(json, '$.question.bar') END",
      grade: `CASE WHEN subject = 'rule' AND json_valid(json) AND json_type(json, '$.expected') = 'object'
        THEN json_set(json_extract(json, '$.expected'), '$.spent', json_extract(json, '$.spent')) END`,
    },
  });
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
  return readRows(db, askedQuestion, { from: "FROM questions ORDER BY at DESC LIMIT 50" });
}
