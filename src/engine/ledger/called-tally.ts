import type { SqlValue } from "sql.js";
import { shareOut } from "../base/share-out.ts";
import { priceUsage } from "../usage/price.ts";
import type { TokenUsage } from "../usage/token-usage.ts";
import { nanosOf, Sum, usdOf } from "../usage/usage-sum.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";
import type { LedgerBasis } from "./ledger-basis.ts";

export const calledKinds = ["tool", "skill", "server"] as const;
export type CalledKind = (typeof calledKinds)[number];

export function isCalledKind(by: string): by is CalledKind {
  return calledKinds.some((kind) => kind === by);
}

/** What calls of one tool, skill or server took, in one session and of one day, folder and model. */
export interface CalledBucket {
  readonly by: CalledKind;
  /** Null stands for responses that called none. */
  readonly key: string | null;
  readonly day: string | null;
  readonly cwd: string | null;
  readonly model: string;
  /** Of its shares of responses. A response that called several is counted with each of them. */
  readonly sum: Sum;
  calls: number;
  errors: number;
  /** Characters. */
  inputChars: number;
  resultChars: number;
}

interface Response {
  readonly sessionId: string;
  readonly model: string;
  readonly at: number | null;
  readonly cwd: string | null;
  readonly usage: TokenUsage;
}

interface Call {
  readonly sessionId: string;
  readonly messageId: string | null;
  readonly at: number | null;
  readonly keys: Readonly<Record<CalledKind, string | null>>;
  readonly isError: boolean;
  readonly inputChars: number;
  readonly resultChars: number;
}

const responseColumns = `session_id, message_id, model, at, cwd,
  input, output, cache_creation_5m, cache_creation_1h, cache_read`;
const callColumns = "session_id, message_id, at, tool, skill, server, is_error, input_chars, result_chars";

/**
 * Each counted response's usage and cost, shared out evenly among the calls with its message id, and those calls. The
 * shares add up to the whole. A call is its own session's, a response's share that of the session that counts it.
 *
 * @param session null for all of them
 */
export function readCalledBuckets(
  { db, basis }: { db: Database; basis: LedgerBasis },
  session: string | null,
): Map<string, CalledBucket[]> {
  const tally = new CalledTally(basis);
  const calls = readCalls(db, session);
  const byMessage = new Map<string, Call[]>();
  for (const call of calls) {
    if (call.messageId === null) continue;
    const others = byMessage.get(call.messageId);
    if (others === undefined) byMessage.set(call.messageId, [call]);
    else others.push(call);
  }
  const responses = new Map<string, Response>();
  const [where, values] = session === null ? ["", []] : [" AND session_id = ?", [session]];
  db.rows(`SELECT ${responseColumns} FROM responses WHERE is_counted = 1${where}`, values, (cells) => {
    const messageId = textIn(cells[1]);
    const response = responseIn(cells);
    const called = byMessage.get(messageId) ?? [];
    if (called.length > 0) responses.set(messageId, response);
    tally.share(response, called);
  });
  for (const call of calls)
    if (session === null || call.sessionId === session)
      tally.count(call, responses.get(call.messageId ?? ""));
  return tally.sessions;
}

class CalledTally {
  readonly sessions = new Map<string, CalledBucket[]>();
  readonly #basis: LedgerBasis;

  constructor(basis: LedgerBasis) {
    this.#basis = basis;
  }

  share(response: Response, calls: readonly Call[]): void {
    const { usd } = priceUsage(response, this.#basis.catalogue);
    for (const by of calledKinds) {
      const keys = calls.length === 0 ? [null] : calls.map((call) => call.keys[by]);
      const [key = null] = keys;
      if (keys.every((each) => each === key)) this.#bucketOf({ by, key, ...response }).sum.add(response, usd);
      else this.#shareAmong(keys, { by, response, usd });
    }
  }

  #shareAmong(
    keys: readonly (string | null)[],
    { by, response, usd }: { by: CalledKind; response: Response; usd: number | null },
  ): void {
    const times = new Map<string | null, number>();
    for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
    const weights = [...times.values()];
    const shares = shareUsage(response.usage, weights);
    const nanos = usd === null ? [] : shareOut(nanosOf(usd), weights);
    for (const [index, key] of [...times.keys()].entries()) {
      const [usage, cost] = [shares[index], nanos[index]];
      if (usage === undefined) continue;
      const { sum } = this.#bucketOf({ by, key, ...response });
      sum.add({ usage, at: response.at }, cost === undefined ? null : usdOf(cost));
    }
  }

  /** @param response the one that made the call, where it is counted */
  count(call: Call, response: Response | undefined): void {
    const { sessionId } = call;
    const { model = "unknown", cwd = null } = response ?? {};
    for (const by of calledKinds) {
      const at = response?.at ?? call.at;
      const bucket = this.#bucketOf({ by, key: call.keys[by], sessionId, model, cwd, at });
      bucket.calls += 1;
      bucket.errors += Number(call.isError);
      bucket.inputChars += call.inputChars;
      bucket.resultChars += call.resultChars;
    }
  }

  #bucketOf(wanted: Pick<CalledBucket, "by" | "key"> & Omit<Response, "usage">): CalledBucket {
    const { by, key, sessionId, model, cwd, at } = wanted;
    let buckets = this.sessions.get(sessionId);
    if (buckets === undefined) this.sessions.set(sessionId, (buckets = []));
    const day = at === null ? null : this.#basis.dayOf(at);
    const known = buckets.findLast(
      (each) =>
        each.by === by && each.key === key && each.day === day && each.cwd === cwd && each.model === model,
    );
    if (known !== undefined) return known;
    const counts = { calls: 0, errors: 0, inputChars: 0, resultChars: 0 };
    const bucket = { by, key, day, cwd, model, sum: new Sum(), ...counts };
    buckets.push(bucket);
    return bucket;
  }
}

/** A response's tokens of each kind, shared out by weights. */
function shareUsage(usage: TokenUsage, weights: readonly number[]): TokenUsage[] {
  const input = shareOut(usage.input, weights);
  const output = shareOut(usage.output, weights);
  const cacheCreation5m = shareOut(usage.cacheCreation5m, weights);
  const cacheCreation1h = shareOut(usage.cacheCreation1h, weights);
  const cacheRead = shareOut(usage.cacheRead, weights);
  return weights.map((_, index) => ({
    input: input[index] ?? 0,
    output: output[index] ?? 0,
    cacheCreation5m: cacheCreation5m[index] ?? 0,
    cacheCreation1h: cacheCreation1h[index] ?? 0,
    cacheRead: cacheRead[index] ?? 0,
  }));
}

/** A session's calls, and those of other sessions that its responses made: a fork repeats them. */
function readCalls(db: Database, session: string | null): Call[] {
  if (session === null) return db.rows(`SELECT ${callColumns} FROM tool_calls ORDER BY rowid`, [], callIn);
  return db.rows(
    `SELECT ${callColumns} FROM tool_calls WHERE rowid IN (
       SELECT rowid FROM tool_calls WHERE session_id = ?1 UNION
       SELECT tool_calls.rowid FROM responses JOIN tool_calls USING (message_id)
       WHERE responses.session_id = ?1 AND is_counted = 1) ORDER BY rowid`,
    [session],
    callIn,
  );
}

function callIn(cells: readonly SqlValue[]): Call {
  return {
    sessionId: textIn(cells[0]),
    messageId: maybeTextIn(cells[1]),
    at: maybeNumberIn(cells[2]),
    keys: {
      tool: maybeTextIn(cells[3]) ?? "unknown",
      skill: maybeTextIn(cells[4]),
      server: maybeTextIn(cells[5]),
    },
    isError: maybeNumberIn(cells[6]) === 1,
    inputChars: maybeNumberIn(cells[7]) ?? 0,
    resultChars: maybeNumberIn(cells[8]) ?? 0,
  };
}

function responseIn(cells: readonly SqlValue[]): Response {
  return {
    sessionId: textIn(cells[0]),
    model: textIn(cells[2]),
    at: maybeNumberIn(cells[3]),
    cwd: maybeTextIn(cells[4]),
    usage: {
      input: numberIn(cells[5]),
      output: numberIn(cells[6]),
      cacheCreation5m: numberIn(cells[7]),
      cacheCreation1h: numberIn(cells[8]),
      cacheRead: numberIn(cells[9]),
    },
  };
}
