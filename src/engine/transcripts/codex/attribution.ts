import type { AgentSession } from "../agent-session.ts";
import {
  attributedByPlace,
  namedRecords,
  type AttributedSession,
  type NamedRecord,
} from "../records/attribution.ts";
import type { CodexRecord } from "./read-rollout.ts";

/** The pairs of total and last usage in the rollout of a session; empty when there is none. */
export type PairsOf = (sessionId: string) => ReadonlySet<string>;

/**
 * Attributes a rollout's records. Lines of which only the parent's rollout tells whether they are the session's own are
 * left out when the parent has them, as by `countRollouts`. Where the parent is gone they bear the name they have in it:
 * should the ledger hold them already, they are the same. What was done in them is then nobody's.
 */
export function attributedRollout(session: AgentSession<CodexRecord>, pairsOf: PairsOf): AttributedSession {
  return attributedByPlace(session, namedOf(session, pairsOf));
}

function namedOf({ facts, records }: AgentSession<CodexRecord>, pairsOf: PairsOf): NamedRecord[] {
  const { parentId } = facts;
  const isDoubtful = ({ origin, pair }: CodexRecord) => origin === "unsure" && pair !== null;
  if (parentId === null || !records.some(isDoubtful)) return namedRecords(records);
  const inherited = pairsOf(parentId);
  return namedRecords(records).flatMap((each): NamedRecord[] => {
    const { record, id } = each;
    if (!isDoubtful(record)) return [each];
    const own = `codex ${facts.sessionId} `;
    if (record.pair !== null && inherited.has(record.pair)) return [];
    // What a parent's rollout that is there does not have is the session's own, whatever its name.
    return id.startsWith(own)
      ? [{ record, id: `codex ${parentId} ${id.slice(own.length)}`, isCopy: inherited.size === 0 }]
      : [each];
  });
}
