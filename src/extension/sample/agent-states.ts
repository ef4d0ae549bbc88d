import { groupBy } from "../../engine/base/group-by.ts";
import { findDefinition } from "../../engine/recurring/agents/definitions.ts";
import { agentPlace } from "../../engine/recurring/wake/agent-folder.ts";
import { agree } from "../../engine/recurring/consent/agreement.ts";
import { pastState } from "../../engine/recurring/wake/state.ts";
import { succeed, type Result } from "../../engine/base/result.ts";
import { writePrivateFile } from "../../engine/base/disk/private-place.ts";
import type { LedgerEntry } from "../../engine/ledger/entries/entry.ts";
import { wakeRow } from "../../engine/ledger/entries/woken.ts";

/**
 * Writes what purser remembers of the sample's recurring agents: the sessions and wakes that the ledger has, and that their files are agreed to. Their
 * folder's name depends on where the sample is.
 *
 * @param wakes the folder of all agents' states
 */
export function writeAgentStates(
  entries: readonly LedgerEntry[],
  { wakes, workspace, now }: { readonly wakes: string; readonly workspace: string; readonly now: number },
): Result<void> {
  const rows = entries.flatMap((entry) => (entry.kind === "wake" ? [wakeRow.parse(entry)] : []));
  for (const [name, own] of groupBy(rows, ({ agent }) => agent)) {
    const found = findDefinition(workspace, name);
    if (!found.ok || !found.value.read.ok) continue;
    const agent = found.value.read.value;
    const place = agentPlace(wakes, workspace, name);
    const agreed = agree(place, { definition: agent.hash, checks: [], at: own[0]?.at ?? now });
    if (!agreed.ok) return agreed;
    const state = pastState(own, { folder: workspace, sessionHash: agent.sessionHash, lastSlot: now });
    writePrivateFile(place.state, JSON.stringify(state));
  }
  return succeed(undefined);
}
