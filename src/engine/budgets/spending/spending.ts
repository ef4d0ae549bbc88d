import { word } from "../budget.ts";
import * as z from "zod/mini";
import { isDay } from "../period.ts";
import type { SessionTotals } from "./session-totals.ts";

const tokens = z.int().check(z.minimum(0));
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
  /** Time of the last change. Milliseconds since the epoch. */
  at: time,
});

const leaseSchema = z.extend(spenderSchema, { id: word, tokens, grantedAt: time, expiresAt: time });

export const spendingSchema = z.strictObject({
  schema: z.union([z.literal(1), z.literal(2)]),
  usage: z.array(usageSchema),
  leases: z.array(leaseSchema),
  /** Ids already recorded, which would be counted twice if recorded again. */
  recorded: z.array(z.strictObject({ id: word, at: time })),
});

export type Spender = Readonly<z.infer<typeof spenderSchema>>;
export type UsageRow = Readonly<z.infer<typeof usageSchema>>;

/** Tokens reserved for a call that may be under way. Until it is settled, released or expires, nobody else can spend them. */
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

/** Returns a row's tokens: the sum of single calls or the caller's total, whichever is larger. */
export function tokensOf({ settled, observed }: Pick<UsageRow, "settled" | "observed">): number {
  return Math.max(settled, observed);
}

export function isSameSpender(one: Spender, other: Spender): boolean {
  return (
    one.convoyId === other.convoyId &&
    one.agentId === other.agentId &&
    one.sessionId === other.sessionId &&
    one.runId === other.runId
  );
}

/** Whether a lease still counts. A clock that was set back makes it last longer, never shorter than it has lasted. */
export function isLive(lease: Lease, now: number): boolean {
  return lease.expiresAt > now;
}
