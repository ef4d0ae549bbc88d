import type { FollowedSession, SessionFile } from "../../transcripts/live-reader.ts";
import type { LiveAgent } from "./live-agents.ts";

/** A session with all of its files, its main file first. */
export interface RecentSession extends FollowedSession {
  readonly agent: LiveAgent;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Older sessions are history and not followed. Milliseconds. */
export const maxAge = 7 * 24 * 60 * 60_000;
const maxSessions = 40;

/**
 * Returns the sessions to follow: those with a process, and the latest of the last week. Most recently changed first. A
 * session in two agents' folders belongs to the first agent.
 */
export function pickRecent(
  found: readonly AgentFiles[],
  { now, running }: { now: number; running: ReadonlySet<string> },
): RecentSession[] {
  const bySession = new Map<string, { agent: LiveAgent; files: SessionFile[] }>();
  for (const { agent, files } of found)
    for (const file of files) {
      const held = bySession.get(file.sessionId);
      if (held === undefined) bySession.set(file.sessionId, { agent, files: [file] });
      else if (held.agent === agent) held.files.push(file);
    }
  return Array.from(bySession, ([id, { agent, files }]) => ({
    id,
    agent,
    files: files.toSorted((a, b) => Number(a.agentId !== null) - Number(b.agentId !== null)),
    changedAt: Math.max(...files.map(({ mtimeMs }) => mtimeMs)),
  }))
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .filter(
      ({ id, changedAt }, index) => running.has(id) || (index < maxSessions && now - changedAt < maxAge),
    );
}

export interface AgentFiles {
  readonly agent: LiveAgent;
  readonly files: readonly SessionFile[];
}
