import type { EventNamed } from "../../hooks/event/event.ts";
import type { HookHandler } from "../../hooks/hooks-handler.ts";
import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import type { ResumePacket } from "./packet.ts";

type PacketEntry = Extract<LedgerEntry, { kind: "resume-packet" }>;

const events = ["UserPromptSubmit", "PreCompact", "SessionEnd"] as const;
type Event = EventNamed<(typeof events)[number]>;

export interface PacketPorts {
  /** Makes a session's packet as of now; null for a session of which nothing is known. */
  readonly packetOf: (sessionId: string) => Promise<ResumePacket | null>;
  /** Whether packets of a folder's sessions are stored. */
  readonly isOn: (folder: string | null) => boolean;
  /** Records a packet, in the background. */
  readonly record: (entry: PacketEntry) => void;
  readonly onProblem: (message: string) => void;
}

/** A packet is stored after this many prompts. */
const often = 20;

/** Stores what the next session would need: before a compaction, at the end, and every few prompts. Says nothing, and no hook waits for it. */
export function packetHandler({
  packetOf,
  isOn,
  record,
  onProblem,
}: PacketPorts): HookHandler<Event["hook_event_name"]> {
  const prompts = new Map<string, number>();

  const store = async (sessionId: string, occasion: PacketEntry["occasion"]) => {
    const packet = await packetOf(sessionId);
    if (packet !== null && packet.turns > 0) record(packetEntry(packet, sessionId, occasion));
  };
  const begin = (sessionId: string, occasion: PacketEntry["occasion"]) => {
    store(sessionId, occasion).catch((error: unknown) =>
      onProblem(`A session's packet was not made: ${String(error)}`),
    );
  };

  return {
    name: "packets",
    events,
    budget: 20,
    answer: (event) => {
      const { session_id: session, agent_id: agentId, cwd: folder = null } = event;
      if (agentId !== undefined || !isOn(folder)) return null;
      switch (event.hook_event_name) {
        case "UserPromptSubmit": {
          const count = (prompts.get(session) ?? 0) + 1;
          prompts.delete(session);
          prompts.set(session, count);
          const [oldest] = prompts.keys();
          if (prompts.size > mostCounted && oldest !== undefined) prompts.delete(oldest);
          if (count % often === 0) begin(session, "turns");
          return null;
        }
        case "PreCompact":
          begin(session, "compaction");
          return null;
        case "SessionEnd":
          prompts.delete(session);
          begin(session, "end");
          return null;
      }
    },
  };
}

/** Sessions whose prompts are counted. */
const mostCounted = 200;

/** Makes the ledger's entry of a packet. */
export function packetEntry(
  packet: ResumePacket,
  sessionId: string,
  occasion: PacketEntry["occasion"],
): PacketEntry {
  return {
    kind: "resume-packet",
    sessionId,
    occasion,
    at: packet.at,
    turn: packet.turns,
    program: packet.agent,
    folder: packet.folder,
    branch: packet.branch,
    packet: JSON.stringify(packet),
  };
}
