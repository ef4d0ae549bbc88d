import type { SessionReader } from "../../../../src/engine/sessions/live/reader.ts";
import type { LiveAgent } from "../../../../src/engine/sessions/live/live-agents.ts";
import type { SessionRoot } from "../../../../src/engine/transcripts/agents.ts";
import { liveReader } from "../../../../src/engine/transcripts/claude/live-reader.ts";
import { SubagentMetaReader } from "../../../../src/engine/transcripts/claude/subagent-meta.ts";
import { LiveRows } from "../../../../src/engine/transcripts/claude/claude-session-finder.ts";
import type { SessionFile } from "../../../../src/engine/transcripts/live-reader.ts";

/** Claude Code, with no folders. */
export const claudeAgent: LiveAgent = {
  name: "claude-code",
  roots: [],
  reader: liveReader,
  finder: liveReader.finder([], () => false),
};

/** Claude Code's roots. */
export function claudeRoots(...paths: readonly string[]): SessionRoot[] {
  return paths.map((path) => ({ agent: "claude-code", path }));
}

/** A transcript of the session or of its subagent, changed at this time. */
export function transcriptFile(
  path: string,
  {
    sessionId,
    agentId = null,
    mtimeMs = 0,
  }: { sessionId: string; agentId?: string | null; mtimeMs?: number },
): SessionFile {
  const open = () => new LiveRows(sessionId, agentId);
  return { path, sessionId, agentId, size: 1, mtimeMs, kind: "lines", open };
}

/** Adds a transcript to a session, and for a subagent the file beside it. */
export function addTranscript(reader: SessionReader, path: string, agentId: string | null = null): void {
  const file = transcriptFile(path, { sessionId: reader.id, agentId });
  reader.addFile(file);
  if (agentId === null) return;
  const meta = path.replace(/\.jsonl$/u, ".meta.json");
  const open = () => new SubagentMetaReader(meta);
  reader.addFile({ ...file, path: meta, kind: "whole", open, isAside: true });
}
