import { word } from "../budget.ts";
import * as z from "zod/mini";
import { largerAmounts, noAmounts, type Amounts } from "../amounts.ts";
import { isDay } from "../period.ts";
import type { SessionTotals } from "./session-totals.ts";

const tokens = z.int().check(z.minimum(0));
const money = z.strictObject({
  usd: z.number().check(z.nonnegative()),
  credits: z.number().check(z.nonnegative()),
  /** Tokens recorded without a price. */
  unpriced: tokens,
});
const time = z.int();

const spenderSchema = z.strictObject({
  /** Null if the session belongs to no convoy; then only the project's limits apply. */
  convoyId: z.nullable(z.string().check(z.maxLength(64))),
  /** One agent of its session: `main`, a subagent's id, or the caller's name for it. */
  agentId: word,
  sessionId: word,
  /** A run as defined by the caller, for example a benchmark's. The session's id stands for its current run. */
  runId: word,
});

const usageSchema = z.extend(spenderSchema, {
  /** Local calendar day. */
  day: z.string().check(z.refine(isDay)),
  /** Sum of the calls that callers recorded. */
  settled: tokens,
  /** The largest total that callers recorded. */
  observed: tokens,
  /** The price of both. Missing if callers never told it. */
  money: z.exactOptional(z.strictObject({ settled: money, observed: money })),
  /** Time of the last change. Milliseconds since the epoch. */
  at: time,
});

const leaseSchema = z.extend(spenderSchema, {
  id: word,
  tokens,
  /** Missing in leases of earlier versions, which reserved tokens only. */
  usd: z.exactOptional(z.number().check(z.nonnegative())),
  credits: z.exactOptional(z.number().check(z.nonnegative())),
  grantedAt: time,
  expiresAt: time,
  /** The same end by a clock that nobody sets: time since the machine's start, and which start. Milliseconds. */
  ends: z.exactOptional(z.strictObject({ boot: word, at: z.int() })),
});

export const spendingSchema = z.strictObject({
  schema: z.union([z.literal(1), z.literal(2)]),
  usage: z.array(usageSchema),
  leases: z.array(leaseSchema),
  /** Ids already recorded, which would be counted twice if recorded again. */
  recorded: z.array(z.strictObject({ id: word, at: time })),
});

export type Spender = Readonly<z.infer<typeof spenderSchema>>;
export type UsageRow = Readonly<z.infer<typeof usageSchema>>;

/** Tokens and money reserved for a call that may be under way. Until it is settled, released or expires, nobody else can spend them. */
export type Lease = Readonly<z.infer<typeof leaseSchema>>;

/** Usage and reservations of a project's agents. Processing tokens. Never changed in place. */
export interface Spending {
  readonly usage: readonly UsageRow[];
  readonly leases: readonly Lease[];
  readonly recorded: readonly { readonly id: string; readonly at: number }[];
  /** Usage as the ledger adds it up from transcripts. The same usage may be in both; `Tally` counts it once. */
  readonly totals: readonly SessionTotals[];
}

export const nothingSpent: Spending = { usage: [], leases: [], recorded: [], totals: [] };

/** Returns the sum of a row's single calls, and the largest total that its caller recorded. */
export function amountsIn({
  settled,
  observed,
  money: prices,
}: UsageRow): Readonly<Record<"settled" | "observed", Amounts>> {
  const priced = (tokenCount: number, price: Omit<Amounts, "tokens"> | undefined) =>
    price === undefined
      ? { ...noAmounts, tokens: tokenCount, unpriced: tokenCount }
      : { tokens: tokenCount, ...price };
  return { settled: priced(settled, prices?.settled), observed: priced(observed, prices?.observed) };
}

/** Returns what a row counts: the sum of single calls or the caller's total, whichever is larger. */
export function usedIn(row: UsageRow): Amounts {
  const { settled, observed } = amountsIn(row);
  return largerAmounts(settled, observed);
}

/** Writes what callers recorded into a row. Rows without any price stay as earlier versions wrote them. */
export function withAmounts(row: UsageRow, { settled, observed }: ReturnType<typeof amountsIn>): UsageRow {
  const { convoyId, agentId, sessionId, runId, day, at } = row;
  const counted = { settled: settled.tokens, observed: observed.tokens };
  const isPriced = [settled, observed].some(
    ({ tokens: all, unpriced, usd, credits }) => unpriced < all || usd + credits > 0,
  );
  const prices = isPriced ? { money: { settled: priceOf(settled), observed: priceOf(observed) } } : {};
  return { convoyId, agentId, sessionId, runId, day, ...counted, ...prices, at };
}

function priceOf({ usd, credits, unpriced }: Amounts): Omit<Amounts, "tokens"> {
  return { usd, credits, unpriced };
}

export function reservedBy({ tokens: reserved, usd = 0, credits = 0 }: Lease): Amounts {
  return { tokens: reserved, usd, credits, unpriced: 0 };
}

export function isSameSpender(one: Spender, other: Spender): boolean {
  return (
    one.convoyId === other.convoyId &&
    one.agentId === other.agentId &&
    one.sessionId === other.sessionId &&
    one.runId === other.runId
  );
}

/** A moment by the machine's clock, and by one that is never set. Milliseconds. */
export interface Ticks {
  readonly now: number;
  /** Names the start of the machine; `since` is the time since then. */
  readonly boot: string;
  readonly since: number;
}

/** Returns leases with their ends by the machine's clock as it is set now, so that a jump neither ends nor prolongs them. */
export function leasesAt(leases: readonly Lease[], ticks: Ticks | null): readonly Lease[] {
  if (ticks === null) return leases;
  return leases.map((lease) => {
    if (lease.ends?.boot !== ticks.boot) return lease;
    return { ...lease, expiresAt: Math.round(ticks.now + lease.ends.at - ticks.since) };
  });
}

/** The reverse, for leases of this machine's present start. */
export function leasesWithEnds(leases: readonly Lease[], ticks: Ticks | null): readonly Lease[] {
  if (ticks === null) return leases;
  return leases.map((lease) => {
    if (lease.ends !== undefined && lease.ends.boot !== ticks.boot) return lease;
    return {
      ...lease,
      ends: { boot: ticks.boot, at: Math.round(ticks.since + lease.expiresAt - ticks.now) },
    };
  });
}

/** Whether a lease still counts. */
export function isLive(lease: Lease, now: number): boolean {
  return lease.expiresAt > now;
}
