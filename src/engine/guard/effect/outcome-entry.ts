import type { LedgerEntry } from "../../ledger/entries.ts";

export type GuardOutcomeEntry = Extract<LedgerEntry, { kind: "guard-outcome" }>;

/** Fields of a hit that its outcome repeats, so that outcomes are counted without their hits. */
type HitPart = Pick<GuardOutcomeEntry, "sessionId" | "rule" | "family" | "done">;

interface Seen {
  readonly hit: string;
  readonly outcome: GuardOutcomeEntry["outcome"];
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Makes the ledger's entry for a hit's outcome, which later calls showed. */
export function outcomeEntry(part: HitPart, { hit, outcome, why, at }: Seen): GuardOutcomeEntry {
  const { sessionId, rule, family, done } = part;
  return { kind: "guard-outcome", id: hit, source: "calls", sessionId, rule, family, done, outcome, why, at };
}

/** Makes the ledger's entry for a hit that the user marked as wrong. It takes precedence over later calls. */
export function mistakeEntry(part: HitPart, { hit, at }: Pick<Seen, "hit" | "at">): GuardOutcomeEntry {
  return { ...outcomeEntry(part, { hit, outcome: "false", why: "the user said so", at }), source: "user" };
}
