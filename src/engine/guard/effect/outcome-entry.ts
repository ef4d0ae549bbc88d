import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";

export type GuardOutcomeEntry = Extract<LedgerEntry, { kind: "guard-outcome" }>;

/** What a hit's entry tells that its outcome repeats, so that outcomes are counted without their hits. */
type HitPart = Pick<GuardOutcomeEntry, "sessionId" | "rule" | "family" | "done">;

interface Seen {
  readonly hit: string;
  readonly outcome: GuardOutcomeEntry["outcome"];
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Makes the ledger's entry of what came of a hit, as later calls show. */
export function outcomeEntry(part: HitPart, { hit, outcome, why, at }: Seen): GuardOutcomeEntry {
  const { sessionId, rule, family, done } = part;
  return { kind: "guard-outcome", id: hit, source: "calls", sessionId, rule, family, done, outcome, why, at };
}

/** Makes the ledger's entry of a hit that the user calls wrong: it counts before what later calls show. */
export function mistakeEntry(part: HitPart, { hit, at }: Pick<Seen, "hit" | "at">): GuardOutcomeEntry {
  return { ...outcomeEntry(part, { hit, outcome: "false", why: "the user said so", at }), source: "user" };
}
