import { resumePacket, type ResumePacket } from "../../../../src/engine/continuity/packet/packet.ts";

/** A packet with what a test names of it. */
export function packetOf(parts: Partial<ResumePacket> = {}): ResumePacket {
  return resumePacket.parse({
    version: 1,
    sessionId: "s",
    agent: "claude-code",
    model: null,
    folder: "/work/harbor",
    branch: "main",
    commit: null,
    at: null,
    turns: 3,
    compactions: 0,
    asked: [],
    done: [],
    open: [],
    decisions: [],
    files: [],
    deadEnds: [],
    conventions: [],
    errors: [],
    lastReply: null,
    ...parts,
  });
}

export function fileOf(path: string, turn = 1): ResumePacket["files"][number] {
  return { path, turn, reads: 1, edits: 1, outcome: "verified" };
}
