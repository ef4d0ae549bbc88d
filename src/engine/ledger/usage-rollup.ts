import type { SqlValue } from "sql.js";
import type { AggregateOptions, CountedResponse, Grouping, UsageReport } from "../usage/aggregate.ts";
import type { Catalogue } from "../usage/catalogue.ts";
import { priceUsage } from "../usage/price.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";
import { UsageTally } from "./usage-tally.ts";

/** What the responses of one session, day, folder and model used: every grouping's sums are sums of these. */
interface Bucket {
  /** Null where the responses have no readable time. */
  readonly day: string | null;
  readonly cwd: string | null;
  readonly model: string;
  readonly tally: UsageTally;
}

/** What prices and days depend on; sums under another one are worth nothing. */
interface Basis {
  readonly catalogue: Catalogue;
  readonly dayOf: (at: number) => string;
}

const selected = `SELECT session_id, model, at, cwd, input, output, cache_creation_5m, cache_creation_1h, cache_read
  FROM responses WHERE is_counted = 1`;

/**
 * Answers the same as `aggregateUsage` over all counted responses, but from sums kept in memory: a question costs as much
 * as there are sessions, and only sessions that changed since the last one are read again.
 */
export class UsageRollup {
  readonly #db: Database;
  #sessions = new Map<string, Bucket[]>();
  #basis: Basis | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param changed the sessions whose responses changed since the last call */
  report(options: AggregateOptions, changed: ReadonlySet<string>): UsageReport {
    this.#bringUpToDate(options, changed);
    const { by, since, until } = options;
    const isLimited = since !== null || until !== null;
    const groups = new Map<string, Map<string, UsageTally>>();
    let undated = 0;
    for (const [session, buckets] of this.#sessions) {
      for (const { day, cwd, model, tally } of buckets) {
        if (day === null && isLimited) undated += tally.responses;
        if (isLimited && (day === null || day < (since ?? day) || day > (until ?? day))) continue;
        tallyOf(groups, keyOf(by, { session, day, cwd, model }), model).include(tally);
      }
    }
    return reportOf(by, groups, undated);
  }

  #bringUpToDate({ catalogue, dayOf }: Basis, changed: ReadonlySet<string>): void {
    if (this.#basis?.catalogue !== catalogue || this.#basis.dayOf !== dayOf) {
      this.#basis = { catalogue, dayOf };
      this.#sessions = new Map();
      this.#read(selected, [], this.#basis);
      return;
    }
    for (const session of changed) {
      this.#sessions.delete(session);
      this.#read(`${selected} AND session_id = ?`, [session], this.#basis);
    }
  }

  #read(sql: string, values: SqlValue[], { catalogue, dayOf }: Basis): void {
    this.#db.rows(sql, values, (cells) => {
      const response = countedIn(cells);
      const day = response.at === null ? null : dayOf(response.at);
      const { usd } = priceUsage(response, catalogue);
      this.#bucketOf(response, day).tally.add(response, usd);
    });
  }

  #bucketOf({ sessionId, cwd, model }: CountedResponse, day: string | null): Bucket {
    let buckets = this.#sessions.get(sessionId);
    if (buckets === undefined) this.#sessions.set(sessionId, (buckets = []));
    // The last one first: responses of one bucket mostly come together.
    const known = buckets.findLast((each) => each.day === day && each.cwd === cwd && each.model === model);
    if (known !== undefined) return known;
    const bucket = { day, cwd, model, tally: new UsageTally() };
    buckets.push(bucket);
    return bucket;
  }
}

function countedIn(cells: readonly SqlValue[]): CountedResponse {
  return {
    sessionId: textIn(cells[0]),
    model: textIn(cells[1]),
    at: maybeNumberIn(cells[2]),
    cwd: maybeTextIn(cells[3]),
    usage: {
      input: numberIn(cells[4]),
      output: numberIn(cells[5]),
      cacheCreation5m: numberIn(cells[6]),
      cacheCreation1h: numberIn(cells[7]),
      cacheRead: numberIn(cells[8]),
    },
  };
}

function keyOf(
  by: Grouping,
  { session, day, cwd, model }: { session: string; day: string | null; cwd: string | null; model: string },
): string {
  switch (by) {
    case "day":
      return day ?? "unknown";
    case "session":
      return session;
    case "project":
      return cwd ?? "unknown";
    case "model":
      return model;
  }
}

function tallyOf(groups: Map<string, Map<string, UsageTally>>, key: string, model: string): UsageTally {
  let models = groups.get(key);
  if (models === undefined) groups.set(key, (models = new Map<string, UsageTally>()));
  let tally = models.get(model);
  if (tally === undefined) models.set(model, (tally = new UsageTally()));
  return tally;
}

function reportOf(by: Grouping, groups: Map<string, Map<string, UsageTally>>, undated: number): UsageReport {
  const totals = new UsageTally();
  const rows = [...groups].flatMap(([key, models]) => {
    const lastOfKey = Math.max(...[...models.values()].map(({ lastAt }) => lastAt));
    return Array.from(models, ([model, tally]) => {
      totals.include(tally);
      const lastAt = tally.lastAt === -Infinity ? null : tally.lastAt;
      return { lastOfKey, row: { key, model, ...tally.sum(), lastAt } };
    });
  });
  rows.sort((one, other) => {
    const byTime = by === "session" ? compare(one.lastOfKey, other.lastOfKey) : 0;
    return byTime || compare(one.row.key, other.row.key) || compare(one.row.model, other.row.model);
  });
  return { rows: rows.map(({ row }) => row), totals: totals.sum(), undated };
}

function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : Number(one > other);
}
