import { SessionAccount } from "../../../../../src/engine/sessions/live/account.ts";
import { Rows } from "../../../../../src/engine/transcripts/codex/live/codex-rows.ts";
import type { RowReading, TranscriptEvent } from "../../../../../src/engine/transcripts/agent-session.ts";
import { idAt } from "../rollout-rows.ts";

const none: ReadonlySet<string> = new Set();

export interface LiveRollout {
  readonly threadId?: string;
  /** The session, if it differs from the thread: a subagent's. */
  readonly sessionId?: string;
  /** The pairs in the parent's rollout. */
  readonly pairs?: ReadonlySet<string>;
}

function rowsOf({ threadId = idAt(0), sessionId = threadId, pairs = none }: LiveRollout = {}): Rows {
  return new Rows({ threadId, sessionId, isSubagent: sessionId !== threadId, pairsOf: () => pairs });
}

export function readingsOf(lines: readonly (string | Buffer)[], rollout?: LiveRollout): RowReading[] {
  const rows = rowsOf(rollout);
  return lines.map((line) => rows.read(Buffer.from(line)));
}

export function eventsIn(readings: readonly RowReading[]): TranscriptEvent[] {
  return readings.flatMap((reading) => (reading.outcome === "known" ? reading.events : []));
}

export function eventsOf(lines: readonly string[], rollout?: LiveRollout): TranscriptEvent[] {
  return eventsIn(readingsOf(lines, rollout));
}

/** The account of a session with these lines in its rollout, and those in its subagents'. */
export function accountOf(
  lines: readonly string[],
  { subagents = {}, ...rollout }: LiveRollout & { subagents?: Record<string, readonly string[]> } = {},
): SessionAccount {
  const threadId = rollout.threadId ?? idAt(0);
  const account = new SessionAccount(threadId, null);
  for (const reading of readingsOf(lines, rollout)) account.apply(reading, null);
  for (const [id, own] of Object.entries(subagents))
    for (const reading of readingsOf(own, { threadId: id, sessionId: threadId })) account.apply(reading, id);
  return account;
}
