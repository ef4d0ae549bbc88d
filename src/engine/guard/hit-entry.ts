import { scrubStart } from "../base/scrub.ts";
import type { LedgerEntry } from "../ledger/entries.ts";

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

export type GuardHitEntry = Extract<LedgerEntry, { kind: "guard-hit" }>;

/** A call of a tool on which a rule fired, as hooks report it. */
export interface HitCall {
  readonly session_id: string;
  readonly agent_id?: string | undefined;
  readonly cwd?: string | undefined;
  readonly tool_name?: string | undefined;
  readonly tool_use_id?: string | undefined;
}

type OwnPart = Pick<GuardHitEntry, "rule" | "family" | "action" | "done" | "savedBytes">;

interface HitFacts extends OwnPart {
  readonly program: string;
  /** The part of the call on which the rule fired. */
  readonly excerpt: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Maximum length of an excerpt in the ledger. Characters. */
export const maxExcerptLength = 400;

/** Rules cut long excerpts: a cut word may be half a secret. */
const cutWord = /(?<=\s)\S{1,400}…$/u;

/** Makes the ledger's entry for a hit. Possible secrets are removed from the excerpt. */
export function hitEntry(call: HitCall, { excerpt, ...facts }: HitFacts): GuardHitEntry {
  const { session_id: sessionId, tool_use_id: use = `${sessionId}@${facts.at}` } = call;
  return {
    kind: "guard-hit",
    id: `${use}:${facts.rule}`,
    sessionId,
    agentId: call.agent_id ?? null,
    tool: call.tool_name ?? null,
    folder: call.cwd ?? null,
    ...facts,
    excerpt: scrubStart(excerpt.replace(cutWord, "…"), maxExcerptLength),
  };
}
