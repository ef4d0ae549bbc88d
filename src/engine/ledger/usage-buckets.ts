import { priceUsage } from "../usage/price.ts";
import { Sum } from "../usage/usage-sum.ts";
import { maybeTextIn, textIn } from "./cell.ts";
import { countedColumns, countedIn } from "./counted-row.ts";
import type { Database } from "./database.ts";
import type { LedgerBasis } from "./ledger-basis.ts";
import type { SessionFacts } from "./session-facts.ts";

/** What the responses of one session that agree in all of these used: every breakdown's sums are sums of such. */
export interface UsageBucket {
  /** Null where the responses have no readable time. */
  readonly day: string | null;
  readonly cwd: string | null;
  readonly model: string;
  /** The response's, or its session's where it does not tell. */
  readonly branch: string | null;
  /** The subagent's type, `unknown` where it is not told, or null for the main conversation. */
  readonly subagent: string | null;
  readonly sum: Sum;
}

interface BucketInput {
  readonly db: Database;
  readonly basis: LedgerBasis;
  readonly facts: ReadonlyMap<string, SessionFacts>;
}

const selected = `SELECT ${countedColumns}, agent_id, branch FROM responses WHERE is_counted = 1`;

/** Of one session, or of all of them when it is null. */
export function readUsageBuckets(
  { db, basis: { catalogue, dayOf }, facts }: BucketInput,
  session: string | null,
): Map<string, UsageBucket[]> {
  const sessions = new Map<string, UsageBucket[]>();
  const types = readSubagentTypes(db, session);
  const [where, values] = session === null ? ["", []] : [" AND session_id = ?", [session]];
  db.rows(selected + where, values, (cells) => {
    const response = countedIn(cells);
    const { sessionId, cwd, model } = response;
    const agentId = maybeTextIn(cells[9]);
    let buckets = sessions.get(sessionId);
    if (buckets === undefined) sessions.set(sessionId, (buckets = []));
    const sum = sumIn(buckets, {
      day: response.at === null ? null : dayOf(response.at),
      cwd,
      model,
      branch: maybeTextIn(cells[10]) ?? facts.get(sessionId)?.branch ?? null,
      subagent: agentId === null ? null : (types.get(subagentKey(sessionId, agentId)) ?? "unknown"),
    });
    sum.add(response, priceUsage(response, catalogue).usd);
  });
  return sessions;
}

function sumIn(buckets: UsageBucket[], wanted: Omit<UsageBucket, "sum">): Sum {
  // The last one first: responses of one bucket mostly come together.
  const known = buckets.findLast(
    (each) =>
      each.day === wanted.day &&
      each.cwd === wanted.cwd &&
      each.model === wanted.model &&
      each.branch === wanted.branch &&
      each.subagent === wanted.subagent,
  );
  if (known !== undefined) return known.sum;
  const sum = new Sum();
  buckets.push({ ...wanted, sum });
  return sum;
}

function readSubagentTypes(db: Database, session: string | null): ReadonlyMap<string, string | null> {
  return new Map(
    db.rows(
      "SELECT session_id, agent_id, type FROM subagents WHERE ?1 IS NULL OR session_id = ?1",
      [session],
      (cells) => [subagentKey(textIn(cells[0]), textIn(cells[1])), maybeTextIn(cells[2])],
    ),
  );
}

function subagentKey(session: string, agent: string): string {
  return `${session}\n${agent}`;
}
