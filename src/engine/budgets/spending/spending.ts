import * as z from "zod";
import { isDay } from "../period.ts";
import type { SessionTotals } from "./session-totals.ts";

/** Ids are others' words: an agent's name, a session's id. */
const word = z.string().min(1).max(200);
const tokens = z.int().min(0);
const time = z.int();

/** Who a call is for. */
const spenderSchema = z.strictObject({
  /** Null when the session is of no convoy; then only the project's limits hold. */
  convoyId: z.string().max(64).nullable(),
  /** One agent of its session: `main`, a subagent's id, or what its caller calls it. */
  agentId: word,
  sessionId: word,
  /** What a run is, its caller knows: a benchmark's run, say. The session's id stands for the run that it is in now. */
  runId: word,
});

const usageSchema = spenderSchema.extend({
  /** Local calendar day. */
  day: z.string().refine(isDay),
  /** What callers said they used, added up. */
  settled: tokens,
  /** The largest total that callers told. */
  observed: tokens,
  /** When it last changed. Milliseconds since the epoch. */
  at: time,
});

const leaseSchema = spenderSchema.extend({ id: word, tokens, grantedAt: time, expiresAt: time });

/** The content of the file of what callers told. */
export const spendingSchema = z.strictObject({
  schema: z.union([z.literal(1), z.literal(2)]),
  usage: z.array(usageSchema),
  leases: z.array(leaseSchema),
  /** What was told once already, and would be counted twice if it were told again. */
  recorded: z.array(z.strictObject({ id: word, at: time })),
});

export type Spender = Readonly<z.infer<typeof spenderSchema>>;
export type UsageRow = Readonly<z.infer<typeof usageSchema>>;

/** Tokens set aside for a call that may be under way. Until it is settled, released or expires, nobody else can spend them. */
export type Lease = Readonly<z.infer<typeof leaseSchema>>;

/** What a project's agents used and have set aside. Processing tokens. Never changed in place. */
export interface Spending {
  /** As callers told it. */
  readonly usage: readonly UsageRow[];
  readonly leases: readonly Lease[];
  readonly recorded: readonly { readonly id: string; readonly at: number }[];
  /** As the ledger adds it up from transcripts. The same usage may be in both; `Tally` counts it once. */
  readonly totals: readonly SessionTotals[];
}

export const nothingSpent: Spending = { usage: [], leases: [], recorded: [], totals: [] };

/** What a row stands for: calls that were told one by one, or a total of them, whichever is more. */
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

/** A lease counts until this moment. A clock that was set back makes it last longer, never shorter than it has lasted. */
export function isLive(lease: Lease, now: number): boolean {
  return lease.expiresAt > now;
}
