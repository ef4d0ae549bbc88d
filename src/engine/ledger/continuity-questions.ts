/** Questions about handovers and the sessions around them. */
import * as z from "zod/mini";
import { handoverStates } from "./entries/continuity-entries.ts";
import { maybeNumberIn, maybeTextIn, textIn, numberIn, flagIn, type Cell } from "./store/cell.ts";
import { usageColumns, usageIn } from "./store/counted-row.ts";
import type { Database } from "./store/database.ts";
import { type TokenUsage, cacheCreation } from "../usage/token-counts.ts";
import { type LedgerBasis, foldersOfProject } from "./basis.ts";
import { isMainRun } from "./store/run-conditions.ts";
import { readSessionFacts } from "./store/session-facts.ts";
import { guardCounts } from "./sums/by-guard.ts";
import type { UsageRollup } from "./sums/usage-rollup.ts";
import { selectCharactersPerToken } from "./questions/rule-book.ts";
import { selectSessionStates } from "./questions/session-states.ts";
import { readRows, type RowOf } from "./store/read-rows.ts";

const state = z.enum(handoverStates);

/** A document that hands a session's work over, and its later use. */
const handoverRow = {
  id: textIn,
  sessionId: textIn,
  program: maybeTextIn,
  at: maybeNumberIn,
  folder: maybeTextIn,
  branch: maybeTextIn,
  headCommit: maybeTextIn,
  /** Identifies the uncommitted changes. */
  changes: maybeTextIn,
  carriedTokens: maybeNumberIn,
  documentTokens: maybeNumberIn,
  state: (cell: Cell) => state.parse(cell),
  toProgram: maybeTextIn,
  startedAt: maybeNumberIn,
  /** The session that began with it. */
  toSession: maybeTextIn,
  takenAt: maybeNumberIn,
  /** Stands for the path of its file. */
  fileHash: maybeTextIn,
};
export type HandoverRow = RowOf<typeof handoverRow>;

export interface HandoverQuery {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly most: number;
}

export function selectHandovers(db: Database, { since, most }: HandoverQuery): HandoverRow[] {
  return readRows(db, handoverRow, {
    from: "FROM handovers WHERE at >= ? ORDER BY at DESC, id LIMIT ?",
    values: [since, most],
  });
}

export interface OrdinaryWorkQuery {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Null for all. */
  readonly project: string | null;
}

/** Sessions of people, without wakes of recurring agents, of one program. */
export interface OrdinarySessions {
  /** Null where unknown. */
  readonly program: string | null;
  readonly sessions: number;
  /** Sessions that a person returned to after a pause. */
  readonly returned: number;
  /** Number of returns. */
  readonly returns: number;
  /** Tokens that main conversations sent and received, by model. */
  readonly usage: readonly { readonly model: string; readonly usage: TokenUsage }[];
}

/**
 * Minimum pause. A later prompt in the same stretch of work comes sooner, and finds the provider's cache. Milliseconds.
 */
const pause = 60 * 60_000;

const chosen = `FROM responses JOIN sessions ON sessions.id = responses.session_id
  WHERE responses.is_counted = 1 AND responses.is_sidechain = 0 AND responses.at >= ?1
    AND (?2 IS NULL OR sessions.cwd IN (SELECT value FROM json_each(?2)))
    AND responses.session_id NOT IN (SELECT session_id FROM wakes WHERE session_id IS NOT NULL)`;

/** How people return to sessions of ordinary work, by program: the program with the most sessions first. */
export function selectOrdinaryWork(
  db: Database,
  { since, project }: OrdinaryWorkQuery,
  basis: Pick<LedgerBasis, "projectOf">,
): OrdinarySessions[] {
  const folders = foldersOfProject(db, { project, column: "sessions.cwd", hasSubfolders: true }, basis);
  const usage = db.rows(
    `SELECT sessions.program, responses.model, ${usageColumns
      .split(", ")
      .map((column) => `sum(${column})`)
      .join(", ")} ${chosen} GROUP BY 1, 2 ORDER BY 1, 2`,
    [since, folders],
    (cells) => ({ program: maybeTextIn(cells[0]), model: textIn(cells[1]), usage: usageIn(cells, 2) }),
  );
  return db
    .rows(
      `SELECT program, count(*), sum(returns > 0), sum(returns) FROM (
         SELECT program, id, sum(gap > ?3) AS returns FROM (
           SELECT sessions.program, sessions.id,
             responses.at - lag(responses.at, 1, responses.at) OVER (PARTITION BY sessions.id ORDER BY responses.at) AS gap
           ${chosen}
         ) GROUP BY id
       ) GROUP BY program ORDER BY count(*) DESC, program`,
      [since, folders, pause],
      (cells) => ({
        program: maybeTextIn(cells[0]),
        sessions: numberIn(cells[1]),
        returned: numberIn(cells[2]),
        returns: numberIn(cells[3]),
      }),
    )
    .map((each) => ({
      ...each,
      usage: usage
        .filter(({ program }) => program === each.program)
        .map(({ model, usage: sums }) => ({ model, usage: sums })),
    }));
}

/** A session's usage and results, as sums of its rows, subagents included. */
export interface SessionFigures {
  readonly id: string;
  readonly program: string | null;
  /** The folder it began in. */
  readonly project: string | null;
  /** Prompts in the main conversation, and completed prompts among them. */
  readonly prompts: number;
  readonly completed: number;
  /** Tokens: processing tokens, tokens sent, and tokens sent that came from the cache. */
  readonly processing: number;
  readonly sent: number;
  readonly cacheRead: number;
  /** USD of the responses with a known price, and the number of responses without one. */
  readonly usd: number | null;
  readonly unpriced: number;
  /** Reads of files, and repeated reads among them. */
  readonly reads: number;
  readonly rereads: number;
  /** Calls with a known end, and failed calls among them. */
  readonly judgedCalls: number;
  readonly failedCalls: number;
  readonly compactions: number;
  /** Loops that guards noticed; null if guards did not report its work. */
  readonly loops: number | null;
  /** Edited files, and those with a passed check since; null if guards did not report its work. */
  readonly edited: number | null;
  readonly verified: number | null;
  /** Bytes of output that guards removed. */
  readonly savedBytes: number;
  /** Tokens of a document that replaced the whole conversation; null without one. */
  readonly handedTokens: number | null;
  /**
   * Tokens saved by a packet at its start: the next call of the packet's own session would have sent this many more.
   * Null without a packet.
   */
  readonly packetTokens: number | null;
}

export interface FiguresAnswer {
  readonly own: SessionFigures;
  /** The newest other sessions of the same agent with a completed prompt, without benches and forks. */
  readonly others: readonly SessionFigures[];
  /** Characters per token of the newest requests with a known content. */
  readonly charactersPerToken: readonly number[];
}

/** Maximum sessions to compare with: older ones no longer represent current work. */
const maxOthers = 100;

export function selectSessionFigures(
  db: Database,
  { rollup, basis }: { readonly rollup: UsageRollup; readonly basis: LedgerBasis },
  id: string,
): FiguresAnswer | null {
  const facts = readSessionFacts(db, id).get(id);
  if (facts === undefined) return null;
  const used = usageBySession(rollup, basis);
  const figuresOf = (session: string, program: string | null, project: string | null): SessionFigures => ({
    id: session,
    program,
    project: project === null ? null : basis.projectOf(project),
    ...(used.get(session) ?? unused),
    ...promptsOf(db, session),
    ...readsOf(db, session),
    ...callsOf(db, session),
    ...workOf(db, session),
    compactions: countOf(
      db,
      "SELECT count(*) FROM compactions WHERE session_id = ? AND is_sidechain = 0",
      session,
    ),
    savedBytes: countOf(
      db,
      `SELECT coalesce(sum(saved_bytes), 0) FROM ${guardCounts} WHERE session_id = ? AND done = 'replaced'`,
      session,
    ),
    handedTokens: handedTo(db, session),
    packetTokens: savedByPacket(db, session),
  });
  const others = db.rows(
    `SELECT id, program, cwd FROM sessions WHERE machine = '' AND program IS ? AND id <> ? AND parent_id IS NULL
       AND EXISTS (SELECT 1 FROM runs WHERE session_id = sessions.id AND completed = 1 AND ${isMainRun("runs")})
       AND NOT EXISTS (SELECT 1 FROM runs WHERE session_id = sessions.id AND task_hash IS NOT NULL)
     ORDER BY last_at DESC, id LIMIT ?`,
    [facts.program, id, maxOthers],
    (cells) => [textIn(cells[0]), maybeTextIn(cells[1]), maybeTextIn(cells[2])] as const,
  );
  return {
    own: figuresOf(id, facts.program, facts.cwd),
    others: others.map(([session, program, project]) => figuresOf(session, program, project)),
    charactersPerToken: selectCharactersPerToken(db),
  };
}

type Used = Pick<SessionFigures, "processing" | "sent" | "cacheRead" | "usd" | "unpriced">;
const unused: Used = { processing: 0, sent: 0, cacheRead: 0, usd: null, unpriced: 0 };

function usageBySession(rollup: UsageRollup, basis: LedgerBasis): ReadonlyMap<string, Used> {
  const sums = new Map<string, Used>();
  const all = { since: null, until: null, project: null, program: null };
  rollup.eachBucket(all, basis, ({ sum }, { id }) => {
    const before = sums.get(id) ?? unused;
    const { usage, usd, unpriced } = sum.sum();
    const written = cacheCreation(usage);
    sums.set(id, {
      processing: before.processing + usage.input + usage.output + written,
      sent: before.sent + usage.input + written + usage.cacheRead,
      cacheRead: before.cacheRead + usage.cacheRead,
      usd: usd === null ? before.usd : (before.usd ?? 0) + usd,
      unpriced: before.unpriced + unpriced,
    });
  });
  return sums;
}

function promptsOf(db: Database, session: string): Pick<SessionFigures, "prompts" | "completed"> {
  const runs = db.rows(
    `SELECT completed FROM runs WHERE session_id = ? AND ${isMainRun("runs")} AND task_hash IS NULL`,
    [session],
    ([completed]) => flagIn(completed),
  );
  return { prompts: runs.length, completed: runs.filter((isCompleted) => isCompleted).length };
}

function readsOf(db: Database, session: string): Pick<SessionFigures, "reads" | "rereads"> {
  const [counts] = db.rows(
    "SELECT count(*), count(*) - count(DISTINCT path) FROM file_reads WHERE session_id = ? AND path IS NOT NULL",
    [session],
    ([reads, rereads]) => ({ reads: numberIn(reads), rereads: numberIn(rereads) }),
  );
  return counts ?? { reads: 0, rereads: 0 };
}

function callsOf(db: Database, session: string): Pick<SessionFigures, "judgedCalls" | "failedCalls"> {
  const [counts] = db.rows(
    "SELECT count(is_error), coalesce(sum(is_error), 0) FROM tool_calls WHERE session_id = ?",
    [session],
    ([judged, failed]) => ({ judgedCalls: numberIn(judged), failedCalls: numberIn(failed) }),
  );
  return counts ?? { judgedCalls: 0, failedCalls: 0 };
}

function workOf(db: Database, session: string): Pick<SessionFigures, "loops" | "edited" | "verified"> {
  const [state] = selectSessionStates(db, { id: session, isWhole: true });
  if (state === undefined) return { loops: null, edited: null, verified: null };
  const loops = countOf(
    db,
    `SELECT coalesce(sum(hits), 0) FROM ${guardCounts} WHERE session_id = ? AND family = 'loops'`,
    session,
  );
  return { loops, edited: state.edited, verified: state.verified };
}

function handedTo(db: Database, session: string): number | null {
  const [tokens] = db.rows(
    `SELECT carried_tokens - document_tokens FROM handovers
     WHERE to_session = ? AND carried_tokens IS NOT NULL AND document_tokens IS NOT NULL ORDER BY taken_at, id LIMIT 1`,
    [session],
    ([saved]) => numberIn(saved),
  );
  return tokens ?? null;
}

/**
 * The context at the last call of the packet's session, minus the packet: the tokens that continuing that session would
 * have sent again. Null if that session was compacted after the call, because its next call sends less.
 */
function savedByPacket(db: Database, session: string): number | null {
  const [saved] = db.rows(
    `SELECT r.input + r.cache_creation_5m + r.cache_creation_1h + r.cache_read - g.tokens FROM given_packets g
     JOIN responses r ON r.session_id = g.from_session AND r.is_sidechain = 0 AND r.at <= g.at
     WHERE g.session_id = ? AND NOT EXISTS (
       SELECT 1 FROM compactions c WHERE c.session_id = g.from_session AND c.is_sidechain = 0 AND c.at BETWEEN r.at AND g.at)
     ORDER BY r.at DESC, r.rowid DESC LIMIT 1`,
    [session],
    ([tokens]) => numberIn(tokens),
  );
  return saved ?? null;
}

function countOf(db: Database, sql: string, session: string): number {
  return db.first(sql, [session], ([count]) => numberIn(count)) ?? 0;
}
