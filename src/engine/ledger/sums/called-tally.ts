import type { SqlValue } from "sql.js";
import { shareOut } from "../../base/numbers.ts";
import type { CountedResponse } from "../../usage/aggregate.ts";
import { priceUsage, type Cost } from "../../usage/price.ts";
import type { TokenUsage } from "../../usage/token-counts.ts";
import { nanosOf, Sum, usdOf } from "../../usage/sum.ts";
import { maybeNumberIn, maybeTextIn, textIn } from "../store/cell.ts";
import { afterCounted, countedColumns, countedIn } from "../store/counted-row.ts";
import type { Database } from "../store/database.ts";
import { indexMessages } from "../store/message-index.ts";
import type { LedgerBasis } from "../basis.ts";
import { SumsReader, SumsWriter } from "./usage-buckets.ts";

const calledKinds = ["tool", "skill", "server"] as const;
export type CalledKind = (typeof calledKinds)[number];

export function isCalledKind(by: string): by is CalledKind {
  return calledKinds.some((kind) => kind === by);
}

/** Usage of one tool, skill or server in one session, on one day, in one folder and with one model. */
export interface CalledBucket {
  readonly by: CalledKind;
  /** Null for responses that called none. */
  readonly key: string | null;
  readonly day: string | null;
  readonly cwd: string | null;
  readonly model: string;
  /** The id of the machine; empty for this one. */
  readonly machine: string;
  /** The sum of its shares of responses. A response that called several counts for each of them. */
  readonly sum: Sum;
  calls: number;
  errors: number;
  /** Characters. */
  inputChars: number;
  resultChars: number;
}

/**
 * Calls of one message form a list linked by `next`: with tens of thousands of calls, an array for each message would
 * be as many more objects.
 */
interface Call {
  readonly sessionId: string;
  readonly messageId: string | null;
  readonly machine: string;
  readonly at: number | null;
  readonly keys: Keys;
  readonly isError: boolean;
  readonly inputChars: number;
  readonly resultChars: number;
  next: Call | undefined;
  isCounted: boolean;
}

type Keys = Readonly<Record<CalledKind, string | null>>;

const callColumns =
  "session_id, message_id, at, tool, skill, server, is_error, input_chars, result_chars, machine";

/**
 * The counted responses of one session, with each one's usage and cost split evenly among the calls with its message
 * id, and the calls themselves. The shares add up to the whole. A call counts for its own session, and a share for the
 * session that counts the response.
 */
export function readCalledBuckets(db: Database, basis: LedgerBasis, session: string): CalledBucket[] {
  const tally = new CalledTally(basis);
  const calls = readCalls(db, session);
  const firstOf = chained(calls);
  const sql = `SELECT ${countedColumns}, message_id, machine FROM responses WHERE is_counted = 1 AND session_id = ?`;
  db.each(sql, [session], (cells) => {
    const response = { ...countedIn(cells), machine: textIn(cells[afterCounted + 1]) };
    tally.add(response, firstOf.get(textIn(cells[afterCounted])));
  });
  for (const call of calls)
    if (!call.isCounted && call.sessionId === session)
      tally.count(call, { at: call.at, model: "unknown", cwd: null, machine: call.machine });
  return tally.buckets();
}

/** The first call of each message, linked to the others. */
function chained(calls: readonly Call[]): ReadonlyMap<string, Call> {
  const first = new Map<string, Call>();
  // Starts from the last call, as each call is put in front of the list.
  for (const call of calls.toReversed()) {
    if (call.messageId === null) continue;
    call.next = first.get(call.messageId);
    first.set(call.messageId, call);
  }
  return first;
}

interface BucketGroup extends Pick<CalledBucket, "day" | "cwd" | "model" | "machine"> {
  readonly parts: Readonly<Record<CalledKind, Map<string | null, CalledBucket>>>;
}

class CalledTally {
  readonly #groups: BucketGroup[] = [];
  readonly #basis: LedgerBasis;

  constructor(basis: LedgerBasis) {
    this.#basis = basis;
  }

  /** @param first of the response's calls */
  add(response: CountedResponse & { readonly machine: string }, first: Call | undefined): void {
    const price = priceUsage(response, this.#basis.catalogue);
    const group = this.#groupOf(response);
    for (const by of calledKinds) {
      const key = first?.keys[by] ?? null;
      if (isOnly(key, first, by)) bucketOf(group, by, key).sum.add(response, price);
      else shareAmong(first, { group, by, response, price });
    }
    for (let call = first; call !== undefined; call = call.next)
      // A message may have two responses, and after a fork its calls may belong to another session than the response.
      if (!call.isCounted && call.sessionId === response.sessionId) this.count(call, response);
  }

  /** @param where gives the day, folder and model under which it is counted */
  count(call: Call, where: Where): void {
    call.isCounted = true;
    const group = this.#groupOf(where);
    for (const by of calledKinds) {
      const bucket = bucketOf(group, by, call.keys[by]);
      bucket.calls += 1;
      bucket.errors += Number(call.isError);
      bucket.inputChars += call.inputChars;
      bucket.resultChars += call.resultChars;
    }
  }

  buckets(): CalledBucket[] {
    return this.#groups.flatMap(({ parts }) => calledKinds.flatMap((by) => [...parts[by].values()]));
  }

  #groupOf({ model, cwd, at, machine }: Where): BucketGroup {
    const day = at === null ? null : this.#basis.dayOf(at);
    // Searches from the end: rows of one day, folder and model mostly come together.
    const known = this.#groups.findLast(
      (each) => each.day === day && each.cwd === cwd && each.model === model && each.machine === machine,
    );
    if (known !== undefined) return known;
    const group = {
      day,
      cwd,
      model,
      machine,
      parts: { tool: new Map(), skill: new Map(), server: new Map() },
    };
    this.#groups.push(group);
    return group;
  }
}

type Where = Pick<CountedResponse, "at" | "model" | "cwd"> & { readonly machine: string };

function bucketOf(
  { day, cwd, model, machine, parts }: BucketGroup,
  by: CalledKind,
  key: string | null,
): CalledBucket {
  const known = parts[by].get(key);
  if (known !== undefined) return known;
  const counts = { calls: 0, errors: 0, inputChars: 0, resultChars: 0 };
  const bucket = { by, key, day, cwd, model, machine, sum: new Sum(), ...counts };
  parts[by].set(key, bucket);
  return bucket;
}

interface ShareInput {
  readonly group: BucketGroup;
  readonly by: CalledKind;
  readonly response: CountedResponse;
  readonly price: Cost;
}

function isOnly(key: string | null, first: Call | undefined, by: CalledKind): boolean {
  for (let call = first; call !== undefined; call = call.next) if (call.keys[by] !== key) return false;
  return true;
}

function shareAmong(first: Call | undefined, { group: place, by, response, price }: ShareInput): void {
  const times = new Map<string | null, number>();
  for (let call = first; call !== undefined; call = call.next)
    times.set(call.keys[by], (times.get(call.keys[by]) ?? 0) + 1);
  const weights = [...times.values()];
  const shares = shareUsage(response.usage, weights);
  const nanos = price.usd === null ? [] : shareOut(nanosOf(price.usd), weights);
  for (const [index, key] of [...times.keys()].entries()) {
    const [usage, cost] = [shares[index], nanos[index]];
    if (usage === undefined) continue;
    const { sum } = bucketOf(place, by, key);
    sum.add({ usage, at: response.at }, { ...price, usd: cost === undefined ? null : usdOf(cost) });
  }
}

/** A response's tokens of each kind, split by weights. */
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

/** A session's calls, and other sessions' calls made by its responses: a fork repeats them. */
function readCalls(db: Database, session: string): Call[] {
  const keys = new KnownKeys();
  indexMessages(db);
  return db.rows(
    `SELECT ${callColumns} FROM tool_calls WHERE rowid IN (
       SELECT rowid FROM tool_calls WHERE session_id = ?1 UNION
       SELECT tool_calls.rowid FROM responses JOIN tool_calls USING (message_id)
       WHERE responses.session_id = ?1 AND is_counted = 1) ORDER BY rowid`,
    [session],
    (cells) => callIn(cells, keys),
  );
}

/** Holds each of the few distinct combinations once. */
class KnownKeys {
  readonly #known = new Map<string, Keys[]>();

  of(tool: string, skill: string | null, server: string | null): Keys {
    let ofTool = this.#known.get(tool);
    if (ofTool === undefined) this.#known.set(tool, (ofTool = []));
    const known = ofTool.find((each) => each.skill === skill && each.server === server);
    if (known !== undefined) return known;
    const keys = { tool, skill, server };
    ofTool.push(keys);
    return keys;
  }
}

function callIn(cells: readonly SqlValue[], keys: KnownKeys): Call {
  return {
    sessionId: textIn(cells[0]),
    messageId: maybeTextIn(cells[1]),
    at: maybeNumberIn(cells[2]),
    keys: keys.of(maybeTextIn(cells[3]) ?? "unknown", maybeTextIn(cells[4]), maybeTextIn(cells[5])),
    isError: maybeNumberIn(cells[6]) === 1,
    inputChars: maybeNumberIn(cells[7]) ?? 0,
    resultChars: maybeNumberIn(cells[8]) ?? 0,
    machine: textIn(cells[9]),
    next: undefined,
    isCounted: false,
  };
}

export function writeCalledBuckets(buckets: readonly CalledBucket[]): string {
  const writer = new SumsWriter();
  for (const { by, key, day, cwd, model, machine, sum, ...counts } of buckets) {
    writer.numbers(calledKinds.indexOf(by));
    for (const name of [key, day, cwd, model, machine]) writer.name(name);
    const { calls, errors, inputChars, resultChars } = counts;
    writer.numbers(calls, errors, inputChars, resultChars, ...sum.parts());
  }
  return writer.text();
}

export function parseCalledBuckets(text: string): CalledBucket[] {
  const reader = new SumsReader(text);
  const buckets: CalledBucket[] = [];
  while (!reader.isOver)
    buckets.push({
      by: calledKinds[reader.number()] ?? "tool",
      key: reader.maybeName(),
      day: reader.maybeName(),
      cwd: reader.maybeName(),
      model: reader.name(),
      machine: reader.name(),
      calls: reader.number(),
      errors: reader.number(),
      inputChars: reader.number(),
      resultChars: reader.number(),
      sum: Sum.of(() => reader.number()),
    });
  return buckets;
}
