import type { AgentSession } from "../../../transcripts/agent-session.ts";
import type { CodexRecord } from "../../../transcripts/codex/read-rollout.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import { activityEntries, attributionByPlace } from "../records/activity.ts";
import { namedRecords, sessionEntries, type NamedRecord } from "../records/entries.ts";

/** The pairs of total and last usage in a session's rollout; empty when there is no such rollout. */
export type PairsOf = (sessionId: string) => ReadonlySet<string>;

/**
 * A rollout's entries. For some lines only the parent's rollout shows whether they are copies of the parent's; they are
 * left out if the parent has them, as in `countRollouts`. If the parent's rollout is gone, they get the ids they would
 * have there, so that they match rows the ledger may already hold. The work done in them is then attributed to nobody.
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
    // Lines missing from an existing parent's rollout are the session's own, whatever their id.
    return id.startsWith(own)
      ? [{ record, id: `codex ${parentId} ${id.slice(own.length)}`, isCopy: inherited.size === 0 }]
      : [each];
  });
}
