import { readJson } from "../../base/parse.ts";
import type { SessionRead } from "../learn/past-sessions.ts";
import type { LearnStore } from "../learn/task.ts";
import { packetEntry } from "../packet/packet-handler.ts";
import { resumePacket, type ResumePacket } from "../packet/packet.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { agents } from "../../transcripts/agents.ts";

/** Maximum age of a session that can be continued. Milliseconds. */
const packetsKeptFor = 30 * 86_400_000;

/** Takes branch and commit from what hooks saw, unless the agent's own file names the branch. */
function withPlace(packet: ResumePacket, { branch, commit }: ResumePacket): ResumePacket {
  const agent = agents.find(({ name }) => name === packet.agent);
  const isNamed = agent?.tellsBranch === true && packet.branch !== null;
  return isNamed || branch === null ? packet : { ...packet, branch, commit };
}

interface PacketKeeping {
  readonly store: Pick<LearnStore, "ask">;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Makes the entry of a past session's packet. Null if it is too old, or if the stored one is as complete. */
export async function packetToKeep(
  { packet, isRewound }: Pick<SessionRead, "packet" | "isRewound">,
  { store, now }: PacketKeeping,
): Promise<LedgerEntry | null> {
  const { sessionId, at, turns } = packet;
  if (at === null || at < now - packetsKeptFor) return null;
  const stored = readJson(resumePacket, await store.ask("packetOf", sessionId));
  const hasMore = stored !== null && stored.turns >= turns;
  const isNewer = stored !== null && at > (stored.at ?? -Infinity);
  // A file may have lost its older rows. Turns that a person abandoned stay out.
  if (hasMore && !(isRewound && isNewer)) return null;
  return packetEntry(stored === null ? packet : withPlace(packet, stored), sessionId, "end");
}
