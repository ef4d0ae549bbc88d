import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";

/** Sessions in which each output of a command is shortened. */
export interface ShortenedSessions {
  readonly sessions: number;
  readonly command: string;
  /** The rule of the format. Default: JSON. */
  readonly rule?: string;
  /** Outputs in a session, each with further requests. Default: 3. */
  readonly outputs?: number;
  /** Bytes left out of each. Default: 12,000. */
  readonly savedBytes?: number;
  /** Whether the original is fetched at once. Default: never. */
  readonly isFetched?: (session: number, output: number) => boolean;
  /** When the first session begins. Milliseconds since the epoch. */
  readonly from: number;
}

/** Requests between an output and the next. */
const between = 3;
const minute = 60_000;

/** The ledger's entries of such sessions, one session an hour. */
export function shortenedSessions(input: ShortenedSessions): LedgerEntry[] {
  return Array.from({ length: input.sessions }, (_, index) => sessionOf(index, input)).flat();
}

function sessionOf(
  index: number,
  {
    command,
    rule = "smaller-output-json",
    outputs = 3,
    savedBytes = 12_000,
    isFetched,
    from,
  }: ShortenedSessions,
): LedgerEntry[] {
  const sessionId = `${command}-${index}`;
  const entries: LedgerEntry[] = [{ kind: "session", id: sessionId, program: "claude-code" }];
  let context = 20_000;
  let number = 0;
  const respond = (calls: readonly string[] = []) => {
    const at = from + index * 60 * minute + (number += 1) * minute;
    const messageId = `${sessionId}-${number}`;
    entries.push({
      kind: "response",
      messageId,
      requestId: messageId,
      sessionId,
      model: "claude-opus-4-5",
      at,
      isSidechain: false,
      usage: { ...noUsage, cacheRead: context, cacheCreation5m: 900, output: 80 },
    });
    context += 900;
    for (const id of calls) entries.push({ kind: "tool-call", id, sessionId, messageId, at, tool: "Bash" });
    return at + 1000;
  };
  for (let output = 0; output < outputs; output += 1) {
    const id = `${sessionId}:${output}`;
    const hit = `${id}:${rule}`;
    const at = respond([id]);
    entries.push({
      kind: "guard-hit",
      id: hit,
      sessionId,
      at,
      program: "claude-code",
      tool: "Bash",
      rule,
      family: "output",
      action: "advise",
      done: "replaced",
      excerpt: command,
      command,
      savedBytes,
    });
    if (isFetched?.(index, output) === true) {
      const callId = `${id}:fetch`;
      const fetchedAt = respond([callId]);
      const bytes = savedBytes + 2000;
      entries.push({
        kind: "guard-follow-up",
        id: `${callId}:${hit}`,
        hit,
        sessionId,
        at: fetchedAt,
        how: "fetched",
        callId,
        bytes,
      });
    }
    for (let more = 0; more < between; more += 1) respond();
  }
  respond();
  return entries;
}
