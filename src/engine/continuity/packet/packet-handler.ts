import * as z from "zod/mini";
import type { SessionMemory } from "../../base/per-session.ts";
import type { EventNamed } from "../../hooks/event.ts";
import type { HookHandler } from "../../hooks/hooks-handler.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { ResumePacket } from "./packet.ts";

type PacketEntry = Extract<LedgerEntry, { kind: "resume-packet" }>;

const events = ["UserPromptSubmit", "PreCompact", "SessionEnd"] as const;
type Event = EventNamed<(typeof events)[number]>;

export interface PacketPorts {
  /** Makes a session's packet as of now. Null for an unknown session. */
  readonly packetOf: (sessionId: string) => Promise<ResumePacket | null>;
  /** Whether packets are stored for sessions in a folder. */
  readonly isOn: (folder: string | null) => boolean;
  /** Records a packet. Returns whether the ledger has it. */
  readonly record: (entry: PacketEntry) => Promise<boolean>;
  readonly memory: Pick<SessionMemory, "part">;
  readonly onProblem: (message: string) => void;
}

/** A packet is stored after this many prompts. */
const often = 20;

export interface PacketStore {
  readonly handler: HookHandler<Event["hook_event_name"]>;
  /** Stores the packets of sessions that ended just before an earlier service was killed. */
  readonly resume: () => void;
  readonly resumed: () => Promise<void>;
}

/**
 * Stores what the next session would need: before a compaction, at the end, and every few prompts. Adds no
 * text, and no hook waits for it.
 */
export function packetHandler({ packetOf, isOn, record, memory, onProblem }: PacketPorts): PacketStore {
  const prompts = new Map<string, number>();
  const due = memory.part("packet-due", { schema: z.boolean(), empty: false });

  const store = async (sessionId: string, occasion: PacketEntry["occasion"]) => {
    const packet = await packetOf(sessionId);
    const isStored =
      packet === null || packet.turns === 0 || (await record(packetEntry(packet, sessionId, occasion)));
    if (isStored && occasion === "end") due.set(sessionId, false);
  };
  const begin = async (sessionId: string, occasion: PacketEntry["occasion"]): Promise<void> => {
    try {
      await store(sessionId, occasion);
    } catch (error) {
      onProblem(`A session's packet was not made: ${String(error)}`);
    }
  };
  let resuming = Promise.resolve();

  const handler: PacketStore["handler"] = {
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
          if (prompts.size > maxCounted && oldest !== undefined) prompts.delete(oldest);
          if (count % often === 0) void begin(session, "turns");
          return null;
        }
        case "PreCompact":
          void begin(session, "compaction");
          return null;
        case "SessionEnd":
          prompts.delete(session);
          due.set(session, true);
          void begin(session, "end");
          return null;
      }
    },
  };
  return {
    handler,
    resume: () => {
      const sessions = Array.from(due.entries(), ([session]) => session);
      resuming = Promise.all(sessions.map((session) => begin(session, "end"))).then(() => undefined);
    },
    resumed: () => resuming,
  };
}

/** Maximum sessions with a prompt count. */
const maxCounted = 200;

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
