import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";
import type { SessionChanges, SessionWatch } from "./session-changes.ts";

/** What one agent of a session used on one local day, so far. */
interface SpentOnDay {
  /** `main`, or the subagent's type, as runs are told of: `subagent` where that is not known. */
  readonly agentId: string;
  readonly day: string;
  /** What was checked out there at the time; null where no row tells. */
  readonly branch: string | null;
  /** Processing tokens: input, output and what was written to the cache. */
  readonly tokens: number;
}

export interface SpentTokens {
  readonly sessionId: string;
  /** Where the session began; null where no row tells. */
  readonly cwd: string | null;
  /** What was checked out where it began. */
  readonly branch: string | null;
  readonly spent: readonly SpentOnDay[];
}

/** Responses that agree in these are of one local day: zones differ by whole quarters of an hour. Milliseconds. */
const quarter = 900_000;

const selected = `SELECT sessions.cwd, responses.agent_id, subagents.type,
    coalesce(responses.at, sessions.first_at) / ${quarter} AS slot,
    sum(input + output + cache_creation_5m + cache_creation_1h), responses.branch, sessions.branch
  FROM responses JOIN sessions ON sessions.id = responses.session_id
  LEFT JOIN subagents ON subagents.session_id = responses.session_id AND subagents.agent_id = responses.agent_id
  WHERE responses.session_id = ?2 AND is_counted = 1 AND coalesce(responses.at, sessions.first_at) >= ?1
  GROUP BY responses.agent_id, slot, responses.branch`;

/** Tells what sessions used that changed since it was last asked, at first of all of them. */
export class SpentWatch {
  readonly #db: Database;
  readonly #watch: SessionWatch;
  #isFirst = true;

  constructor(db: Database, changes: SessionChanges) {
    this.#db = db;
    this.#watch = changes.watch(["response", "session", "subagent"]);
  }

  /**
   * Totals of each agent and day, not what was added to them. A response without a readable time is of the day its session began.
   *
   * @param since only what was used at or after this time. Milliseconds since the epoch
   */
  take(since: number, dayOf: (at: number) => string): SpentTokens[] {
    const changed = this.#watch.take();
    const sessions = this.#isFirst ? this.#sessions(since) : [...changed];
    this.#isFirst = false;
    return sessions.flatMap((session) => this.#read(session, since, dayOf));
  }

  #sessions(since: number): string[] {
    const sql = "SELECT id FROM sessions WHERE last_at >= ? OR last_at IS NULL";
    return this.#db.rows(sql, [since], ([id]) => textIn(id));
  }

  /** A session at a time, by its index: all at once would be sorted, which takes twice as long. */
  #read(sessionId: string, since: number, dayOf: (at: number) => string): SpentTokens[] {
    const days = new Map<string, SpentOnDay>();
    let cwd: string | null = null;
    let sessionBranch: string | null = null;
    this.#db.rows(selected, [since, sessionId], (cells) => {
      const slot = maybeNumberIn(cells[3]);
      if (slot === null) return;
      cwd = maybeTextIn(cells[0]);
      sessionBranch = maybeTextIn(cells[6]);
      const branch = maybeTextIn(cells[5]);
      const agentId = agentOf(maybeTextIn(cells[1]), maybeTextIn(cells[2]));
      const day = dayOf(slot * quarter);
      const key = JSON.stringify([day, agentId, branch]);
      days.set(key, { agentId, day, branch, tokens: (days.get(key)?.tokens ?? 0) + numberIn(cells[4]) });
    });
    return days.size === 0 ? [] : [{ sessionId, cwd, branch: sessionBranch, spent: [...days.values()] }];
  }
}

function agentOf(agentId: string | null, type: string | null): string {
  if (agentId === null) return "main";
  return type === null || type === "" ? "subagent" : type;
}
