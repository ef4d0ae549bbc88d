import { levelNames, type Level, type LevelName } from "./budget.ts";
import { periodStart } from "./period.ts";
import { isLive, tokensOf, type Spender, type Spending } from "./spending.ts";

/** A limit that holds for a call, with the budget it is written in. */
export interface Limit extends Level {
  readonly level: LevelName;
  readonly warnPercent: number;
  /** The budget's convoy: of a project's limit, it may be another than the call's. */
  readonly from: string;
}

/** How a limit stands. Processing tokens. */
export interface LevelState extends Limit {
  /** Who is limited: a session's, agent's or convoy's id; null is the project. */
  readonly subject: string | null;
  /** Of a limit for a run. */
  readonly runId: string | null;
  /** First local day that counts; null of a run. */
  readonly since: string | null;
  readonly used: number;
  /** Set aside by leases, the asking call's own not counted. */
  readonly reserved: number;
  /** What the call is expected to use; 0 where no call is asked about. */
  readonly projected: number;
  /** What remains after all three; never negative. */
  readonly remaining: number;
  /** What they exceed the limit by; 0 while they do not. */
  readonly over: number;
  /** All three in percent of the limit; above 100 when they exceed it. */
  readonly usagePercent: number;
}

export interface Weighed {
  readonly spending: Spending;
  readonly spender: Spender;
  readonly projected: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How one limit stands for who would spend. */
export function weigh(limit: Limit, { spending, spender, projected, now }: Weighed): LevelState {
  const since = periodStart(limit.period, now);
  const isOf = (other: Spender) =>
    isWithin(limit.level, other, spender) && (since !== null || other.runId === spender.runId);
  // A day after today is one that a clock told wrongly once, or another zone's: it was spent all the same.
  const used = sum(spending.usage, (row) =>
    isOf(row) && (since === null || row.day >= since) ? tokensOf(row) : 0,
  );
  const reserved = sum(spending.leases, (lease) => (isOf(lease) && isLive(lease, now) ? lease.tokens : 0));
  const total = used + reserved + projected;
  return {
    ...limit,
    subject: subjectOf(limit.level, spender),
    runId: since === null ? spender.runId : null,
    since,
    used,
    reserved,
    projected,
    remaining: Math.max(0, limit.limit - total),
    over: Math.max(0, total - limit.limit),
    usagePercent: (total / limit.limit) * 100,
  };
}

export type LevelVerdict = "ok" | "warning" | "exceeded";

/** A limit may be used up to its last token, and not one more. */
export function verdictOn({ over, usagePercent, warnPercent }: LevelState): LevelVerdict {
  if (over > 0) return "exceeded";
  return usagePercent >= warnPercent ? "warning" : "ok";
}

/** The one that leaves least room, of several the narrowest; undefined of none. */
export function tightest(states: readonly LevelState[]): LevelState | undefined {
  const room = ({ remaining, over }: LevelState) => remaining - over;
  const width = ({ level }: LevelState) => levelNames.indexOf(level);
  return states.toSorted((one, other) => room(one) - room(other) || width(one) - width(other))[0];
}

export function subjectOf(level: LevelName, spender: Spender): string | null {
  switch (level) {
    case "session":
      return spender.sessionId;
    case "agent":
      return spender.agentId;
    case "convoy":
      return spender.convoyId;
    case "project":
      return null;
  }
}

function isWithin(level: LevelName, other: Spender, spender: Spender): boolean {
  return (
    level === "project" ||
    (other.convoyId === spender.convoyId && subjectOf(level, other) === subjectOf(level, spender))
  );
}

function sum<Item>(items: readonly Item[], tokens: (item: Item) => number): number {
  return items.reduce((total, item) => total + tokens(item), 0);
}
