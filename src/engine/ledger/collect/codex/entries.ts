import type { AgentSession } from "../../../transcripts/agent-session.ts";
import type { CodexRecord } from "../../../transcripts/codex/read-rollout.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import { activityEntries, attributionByPlace } from "../records/activity.ts";
import { namedRecords, sessionEntries, type NamedRecord } from "../records/entries.ts";

/** The pairs of total and last usage in the rollout of a session; empty when there is none. */
export type PairsOf = (sessionId: string) => ReadonlySet<string>;

/**
 * A rollout's entries. Lines of which only the parent's rollout tells whether they are its own are left out when it has
 * them, as by `countRollouts`. Where it is gone they bear the name they have in it: should the ledger hold them already,
 * they are the same. What was done in them is then nobody's.
 */
export function codexEntries(session: AgentSession<CodexRecord>, pairsOf: PairsOf): LedgerEntry[] {
  const named = namedOf(session, pairsOf);
  return [
    ...sessionEntries(session, named),
    ...activityEntries(session, attributionByPlace(session.records, named)),
  ];
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
