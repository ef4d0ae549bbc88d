import { scrubStart } from "../base/scrub.ts";
import type { LedgerEntry } from "../ledger/entries.ts";

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

/** Characters that the ledger has of a call. */
export const longestExcerpt = 400;

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
    excerpt: scrubStart(excerpt.replace(cutWord, "…"), longestExcerpt),
  };
}
