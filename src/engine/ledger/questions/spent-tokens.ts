import type { Catalogue } from "../../usage/catalogue.ts";
import { priceUsage } from "../../usage/price.ts";
import type { LedgerBasis } from "../basis.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import { detailColumns, detailsIn, usageIn } from "../store/counted-row.ts";
import { isMainRun, mainAgentId } from "../store/run-conditions.ts";
import type { Database } from "../store/database.ts";
import type { SessionChanges, SessionWatch } from "../store/session-changes.ts";

/** Usage so far of one agent in a session, on one local day and one branch. */
interface SpentOnDay {
  /** `main`, or the subagent's id. */
  readonly agentId: string;
  /** The type; null for a main agent without a name, and if unknown. */
  readonly type: string | null;
  /** Null for all days before the requested time, and for responses without a known time. */
  readonly day: string | null;
  /** The branch checked out at the time; null if no row names it. */
  readonly branch: string | null;
  /** Processing tokens: input, output and cache creation. */
  readonly tokens: number;
  /** The part of these tokens used since the session's last run began. */
  readonly ofRun: number;
  /** Price of all responses, cache reads included, and of those since the last run began. USD. */
  readonly usd: number;
  readonly usdOfRun: number;
  /** Processing tokens without a known price. */
  readonly unpriced: number;
  readonly unpricedOfRun: number;
  /** Time of the last response. Milliseconds since the epoch. */
  readonly at: number | null;
}

export interface SpentTokens {
  readonly sessionId: string;
  readonly program: string | null;
  /** The folder in which the session began; null if no row names it. */
  readonly cwd: string | null;
  /** The branch checked out where it worked last. */
  readonly branch: string | null;
  /** The model of its main agent's last response. */
  readonly model: string | null;
  /** When its last run began, and when its main agent last responded. Milliseconds since the epoch. */
  readonly runSince: number | null;
  readonly mainAt: number | null;
  readonly spent: readonly SpentOnDay[];
}

/** Selects the sessions that began in these folders. Times in milliseconds since the epoch. */
export interface SpentQuery {
  readonly folders: readonly string[];
  /** Only sessions active at or after this time. */
  readonly activeSince: number;
  /** Usage before this time is one sum, not split by day. */
  readonly since: number;
}

/** Responses within one quarter of an hour are on the same local day: zones differ by whole quarters. Milliseconds. */
const quarter = 900_000;

const time = "coalesce(responses.at, sessions.first_at)";
const processed = "input + output + cache_creation_5m + cache_creation_1h";
const context = "input + cache_creation_5m + cache_creation_1h + cache_read";

/**
 * Sums up responses that have the same price for each token: of one model, in one quarter of an hour, with prompts on the same side of
 * each size from which prices change. The few with terms of their own are sums of one.
 */
function selectAlike({ models }: Catalogue): string {
  const sizes = new Set(
    models.flatMap(({ prices }) =>
      prices.flatMap(({ tiers = [] }) => tiers.map(({ abovePromptTokens }) => abovePromptTokens)),
    ),
  );
  const size = [...sizes].map((tokens) => `(${context} > ${tokens})`).join(" + ") || "0";
  const alike = `CASE WHEN price_terms IS NULL AND last_context IS NULL THEN -(${size}) ELSE responses.rowid END`;
  return `SELECT responses.agent_id, subagents.type, ${time} / ${quarter} AS slot, responses.branch,
    sum(${processed}), max(responses.at), ${time} >= ?2 AS is_of_run, model, max(${context}),
    sum(input), sum(output), sum(cache_creation_5m), sum(cache_creation_1h), sum(cache_read), ${detailColumns}
  FROM responses JOIN sessions ON sessions.id = responses.session_id
  LEFT JOIN subagents ON subagents.session_id = responses.session_id AND subagents.agent_id = coalesce(responses.agent_id, '${mainAgentId}')
  WHERE responses.session_id = ?1 AND is_counted = 1
  GROUP BY responses.agent_id, slot, responses.branch, is_of_run, model, ${alike}`;
}

/** By catalogue, since each session is read on its own. */
const selectedOf = new WeakMap<Catalogue, string>();

function selectedFor(catalogue: Catalogue): string {
  const known = selectedOf.get(catalogue) ?? selectAlike(catalogue);
  selectedOf.set(catalogue, known);
  return known;
}

const ofMain = "FROM responses WHERE session_id = ?1 AND is_counted = 1 AND agent_id IS NULL";
const facts = `SELECT program, cwd, branch, (SELECT max(at) ${ofMain}), (SELECT model ${ofMain} AND is_sidechain = 0 ORDER BY at DESC LIMIT 1)
  FROM sessions WHERE id = ?1`;
const lastRun = `SELECT max(started_at), max(coalesce(ended_at, started_at)) FROM runs
  WHERE session_id = ?1 AND ${isMainRun("runs")} AND task_hash IS NULL`;
const firstAfter = `SELECT min(at) ${ofMain} AND (?2 IS NULL OR at > ?2)`;

/** Reports the usage of the sessions that changed since the last call. */
export class SpendingTracker {
  readonly #db: Database;
  readonly #watch: SessionWatch;

  constructor(db: Database, changes: SessionChanges) {
    this.#db = db;
    this.#watch = changes.watch(["response", "session", "subagent"]);
  }

  /** @param since usage before it is one sum. Milliseconds since the epoch */
  take(since: number, basis: SpentBasis): SpentTokens[] {
    return [...this.#watch.take()].flatMap((id) => spentBy(this.#db, id, { since, ...basis }));
  }

  /**
   * Returns the folders of the sessions that `take` would report; `take` then skips these sessions. Takes a tenth of
   * its time.
   */
  takeFolders(): string[] {
    const folders = [...this.#watch.take()].flatMap((id) =>
      this.#db.rows("SELECT cwd FROM sessions WHERE id = ? AND cwd IS NOT NULL", [id], ([cwd]) =>
        textIn(cwd),
      ),
    );
    return [...new Set(folders)];
  }
}

export function selectSessionFolders(db: Database): string[] {
  return db.rows("SELECT DISTINCT cwd FROM sessions WHERE cwd IS NOT NULL", [], ([cwd]) => textIn(cwd));
}

export function selectSpent(
  db: Database,
  { folders, activeSince, since }: SpentQuery,
  { dayOf, catalogue }: SpentBasis,
): SpentTokens[] {
  const sql = `SELECT id FROM sessions
    WHERE cwd IN (SELECT value FROM json_each(?1)) AND (last_at IS NULL OR last_at >= ?2)`;
  const sessions = db.rows(sql, [JSON.stringify(folders), activeSince], ([id]) => textIn(id));
  return sessions.flatMap((id) => spentBy(db, id, { since, dayOf, catalogue }));
}

type SpentBasis = Pick<LedgerBasis, "dayOf" | "catalogue">;

/** Reads one session at a time, by its index: all at once would be sorted, which takes twice as long. */
function spentBy(
  db: Database,
  sessionId: string,
  { since, dayOf, catalogue }: SpentBasis & { readonly since: number },
): SpentTokens[] {
  const session = db.first(facts, [sessionId], (cells) => ({
    program: maybeTextIn(cells[0]),
    cwd: maybeTextIn(cells[1]),
    branch: maybeTextIn(cells[2]),
    mainAt: maybeNumberIn(cells[3]),
    model: maybeTextIn(cells[4]),
  }));
  if (session === undefined) return [];
  const runSince = runOf(db, sessionId);
  const days = new Map<string, SpentOnDay>();
  db.rows(selectedFor(catalogue), [sessionId, runSince ?? Number.MIN_SAFE_INTEGER], (cells) => {
    const slot = maybeNumberIn(cells[2]);
    const day = slot === null || slot * quarter < since ? null : dayOf(slot * quarter);
    const agentId = maybeTextIn(cells[0]) ?? "main";
    const branch = maybeTextIn(cells[3]);
    const key = JSON.stringify([day, agentId, branch]);
    const known = days.get(key);
    const type = maybeTextIn(cells[1]);
    const tokens = numberIn(cells[4]);
    const { terms, lastCall = { context: numberIn(cells[8]), output: 0 } } = detailsIn(cells, 14);
    const price = priceUsage(
      {
        model: textIn(cells[7]),
        at: slot === null ? null : slot * quarter,
        usage: usageIn(cells, 9),
        // The size of one prompt decides on the price, not that of their sum.
        lastCall,
        terms,
      },
      catalogue,
    );
    const [usd, unpriced] = [price.usd ?? 0, price.usd === null ? tokens : 0];
    const ofRun = (value: number) => (numberIn(cells[6]) === 1 ? value : 0);
    days.set(key, {
      agentId,
      day,
      branch,
      type: type === "" ? null : type,
      tokens: (known?.tokens ?? 0) + tokens,
      ofRun: (known?.ofRun ?? 0) + ofRun(tokens),
      usd: (known?.usd ?? 0) + usd,
      usdOfRun: (known?.usdOfRun ?? 0) + ofRun(usd),
      unpriced: (known?.unpriced ?? 0) + unpriced,
      unpricedOfRun: (known?.unpricedOfRun ?? 0) + ofRun(unpriced),
      at: latest(known?.at ?? null, maybeNumberIn(cells[5])),
    });
  });
  return days.size === 0 ? [] : [{ sessionId, ...session, runSince, spent: [...days.values()] }];
}

/**
 * When the last run began, with the last prompt. A run is recorded when it stops, so the main agent's responses after
 * the last recorded run belong to one still in progress. Null without a known time: the whole session then counts as
 * one run.
 */
function runOf(db: Database, sessionId: string): number | null {
  const [started, ended] = db.first(lastRun, [sessionId], ([from, to]) => [
    maybeNumberIn(from),
    maybeNumberIn(to),
  ]) ?? [null, null];
  return db.first(firstAfter, [sessionId, ended], ([at]) => maybeNumberIn(at)) ?? started;
}

function latest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
