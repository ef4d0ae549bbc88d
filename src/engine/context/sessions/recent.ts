import type { TranscriptFile } from "../../transcripts/claude/files.ts";

/** A session with all of its files, its main file first. */
export interface RecentSession {
  readonly id: string;
  readonly files: readonly TranscriptFile[];
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Older sessions are history and not followed. Milliseconds. */
export const longestAgo = 7 * 24 * 60 * 60_000;
const most = 40;

/**
 * Returns the sessions worth following: those with a process, and the latest of the last week. Most recently
 * changed first.
 */
export function pickRecent(
  files: readonly TranscriptFile[],
  { now, running }: { now: number; running: ReadonlySet<string> },
): RecentSession[] {
  const bySession = new Map<string, TranscriptFile[]>();
  for (const file of files) {
    if (file.sessionId === null) continue;
    const held = bySession.get(file.sessionId);
    if (held === undefined) bySession.set(file.sessionId, [file]);
    else held.push(file);
  }
  return Array.from(bySession, ([id, own]) => ({
    id,
    files: own.toSorted((a, b) => Number(a.agentId !== null) - Number(b.agentId !== null)),
    changedAt: Math.max(...own.map(({ mtimeMs }) => mtimeMs)),
  }))
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .filter(({ id, changedAt }, index) => running.has(id) || (index < most && now - changedAt < longestAgo));
}
