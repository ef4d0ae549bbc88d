import type { LiveAgent } from "./live-agents.ts";
import { SessionAccount } from "./account.ts";
import type { SessionReader } from "./reader.ts";
import type { SessionSource } from "./sessions-source.ts";
import type { HookSessions, HookSession } from "../reported.ts";

export interface SeenSession {
  readonly agent: LiveAgent;
  readonly account: SessionAccount;
  readonly transcript: string;
  readonly subagentTranscripts: ReadonlyMap<string, string>;
  readonly hookSession: HookSession | undefined;
  /** The same object while the session is in view. */
  readonly key: object;
  readonly isLive: (within: number, now: number) => boolean;
}

const none: ReadonlyMap<string, string> = new Map();

export function seenInFiles(
  reader: SessionReader,
  source: SessionSource,
  hookSession?: HookSession,
): SeenSession {
  const { agent, account, transcript, subagentTranscripts } = reader;
  const isLive = (within: number, now: number) =>
    source.isLive(reader, within) || wasReported(hookSession, within, now);
  return { agent, account, transcript, subagentTranscripts, hookSession, key: reader, isLive };
}

/** Sessions whose transcript is expected in one of the source's folders and does not exist yet. */
export function seenUnwritten(source: SessionSource, hookSessions: HookSessions | undefined): SeenSession[] {
  return (hookSessions?.all() ?? []).flatMap((session) => seenWithoutFiles(session, source) ?? []);
}

/** Null for a session that has files, has ended, or is outside the source's folders. */
export function seenWithoutFiles(hookSession: HookSession, source: SessionSource): SeenSession | null {
  const { id, transcript, cwd } = hookSession;
  const reader = source.feed.readers.get(id);
  if (reader?.exists === true && reader.account.isBegun) return null;
  if (cwd === null || transcript === null || hookSession.activity?.state === "ended") return null;
  const agent = source.feed.agentOf(transcript);
  if (agent === undefined) return null;
  const account = new SessionAccount(id, agent.reader.cacheLife);
  account.cwd = cwd;
  account.workingIn = cwd;
  const isLive = (within: number, now: number) => wasReported(hookSession, within, now);
  return { agent, account, transcript, subagentTranscripts: none, hookSession, key: hookSession, isLive };
}

function wasReported(hookSession: HookSession | undefined, within: number, now: number): boolean {
  return (
    hookSession !== undefined &&
    hookSession.activity?.state !== "ended" &&
    Math.abs(now - hookSession.at) < within
  );
}
