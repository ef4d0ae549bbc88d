import { setImmediate as nextTurn } from "node:timers/promises";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import type { AgentName, SessionRoot } from "../../transcripts/agents.ts";
import { newestCounted } from "../compaction-headroom.ts";
import type { AgentSettings, SessionFile } from "../../transcripts/live-reader.ts";
import type { CompactionInChain } from "./chain-history.ts";
import { LiveAgents, rootOf, type LiveAgent } from "./live-agents.ts";
import { isAside, SessionReader } from "./reader.ts";
import { closeSync, fstatSync, readSync } from "node:fs";
import { openToRead } from "../../transcripts/file-tail.ts";

const chunkSize = 1024 * 1024;

/** Returns whether a regular file contains one of these texts. Throws the system's errors. */
export function holdsAny(path: string, texts: readonly string[]): boolean {
  const wanted = texts.map((text) => Buffer.from(text));
  // A text may begin in one chunk and end in the next.
  const overlap = Math.max(0, ...wanted.map(({ length }) => length - 1));
  const handle = openToRead(path);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return false;
    const buffer = Buffer.allocUnsafe(overlap + Math.min(stats.size, chunkSize));
    for (let kept = 0, offset = 0; ;) {
      const length = readSync(handle, buffer, kept, buffer.length - kept, offset);
      if (length === 0) return false;
      const read = buffer.subarray(0, kept + length);
      if (wanted.some((text) => read.includes(text))) return true;
      offset += length;
      kept = Math.min(overlap, read.length);
      read.copyWithin(0, read.length - kept);
    }
  } finally {
    closeSync(handle);
  }
}

/** A compaction in a session that was followed: plain data, before the catalogue determines its window. */
export interface FollowedCompaction extends CompactionInChain {
  readonly agent: AgentName;
  readonly config: AgentSettings;
}

export interface PastSessions {
  readonly roots: readonly SessionRoot[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Maximum age: older sessions followed the rules of agent versions that are out of use. Milliseconds. */
const maxAge = 180 * 24 * 60 * 60_000;

/** Reading limits: the newest sessions count most. */
export interface PastLimits {
  /** Bytes searched for compactions. */
  readonly searched: number;
  /** Bytes of sessions with compactions, which are read row by row: that takes up to ten times as long. */
  readonly read: number;
  /** Compactions per agent: enough for several models and windows. */
  readonly found: number;
}

const usualLimits: PastLimits = { searched: 4e9, read: 5e8, found: 10 * newestCounted };

/** A session, from its own files. */
interface PastSession {
  readonly id: string;
  readonly agent: LiveAgent;
  readonly files: readonly SessionFile[];
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  /** Bytes. */
  readonly size: number;
}

/**
 * Reads the past sessions of these agents once, one after the other, for the automatic compactions of their main
 * chains. Latest first, as far as the limits allow. An agent that cannot be loaded is reported by the code that follows
 * its sessions.
 */
export async function compactionsOfPast(
  { roots, now }: PastSessions,
  limits: PastLimits = usualLimits,
): Promise<FollowedCompaction[]> {
  const agents = new LiveAgents(roots, () => false);
  await agents.load();
  const sessions = agents.loaded.flatMap((agent) => sessionsSince(now - maxAge, agent));
  const found = new Map<LiveAgent, FollowedCompaction[]>();
  let [searched, read] = [0, 0];
  for (const session of sessions.toSorted((a, b) => b.changedAt - a.changedAt)) {
    const { agent, size } = session;
    const known = found.get(agent) ?? [];
    if (known.length >= limits.found || searched + size > limits.searched) continue;
    await nextTurn();
    searched += size;
    if (read + size > limits.read || !session.files.some((file) => mayTell(file, agent))) continue;
    read += size;
    found.set(agent, [...known, ...compactionsIn(session)]);
  }
  return [...found.values()].flat();
}

function sessionsSince(since: number, agent: LiveAgent): PastSession[] {
  const { reader, roots } = agent;
  if (reader.compactionMarks.length === 0) return [];
  const { files } = reader.finder(roots, () => false, true).find(since);
  const bySession = new Map<string, SessionFile[]>();
  for (const file of files) {
    if (file.agentId !== null || file.mtimeMs < since) continue;
    const held = bySession.get(file.sessionId);
    if (held === undefined) bySession.set(file.sessionId, [file]);
    else held.push(file);
  }
  return Array.from(bySession, ([id, own]) => {
    const changedAt = Math.max(...own.map(({ mtimeMs }) => mtimeMs));
    const size = own.reduce((sum, file) => sum + (isAside(file) ? 0 : file.size), 0);
    return { id, agent, files: own, changedAt, size };
  });
}

/** Most sessions were never compacted, and a search shows this much faster than reading their rows. */
function mayTell(file: SessionFile, { reader }: LiveAgent): boolean {
  if (isAside(file)) return false;
  try {
    return holdsAny(file.path, reader.compactionMarks);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}

function compactionsIn({ id, agent, files }: PastSession): FollowedCompaction[] {
  const reader = new SessionReader(id, agent);
  for (const file of files) reader.addFile(file);
  while (reader.read().more);
  const { main, cwd } = reader.account;
  const root = rootOf(reader.transcript, agent.roots);
  const config = agent.reader.settings({ env: {}, root, cwd, model: main.last?.model ?? null });
  return main.compactions
    .filter(({ compaction, evidence }) => compaction.trigger === "auto" && evidence !== null)
    .slice(-newestCounted)
    .map((each) => ({ ...each, agent: agent.name, config }));
}
