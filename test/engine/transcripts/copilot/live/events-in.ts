import type { TranscriptEvent } from "../../../../../src/engine/transcripts/agent-session.ts";
import { EventRows } from "../../../../../src/engine/transcripts/copilot/live/event-rows.ts";
import { SessionState } from "../../../../../src/engine/transcripts/copilot/live/compaction-rows.ts";
import { totalTokens } from "../../../../../src/engine/usage/token-counts.ts";

/** A reader of the rows of the session `s1`. */
export function liveRows(state: SessionState = new SessionState(), hasStore = false) {
  const rows = new EventRows({ sessionId: "s1", state, hasStore: () => hasStore });
  return (line: string) => rows.read(Buffer.from(line));
}

/** Every event of the lines, with the subagent it belongs to before it, if any. */
export function eventsIn(lines: readonly string[], read = liveRows()): [string | null, TranscriptEvent][] {
  return lines.flatMap((line) => {
    const reading = read(line);
    if (reading.outcome !== "known") return [];
    return reading.events.map((each): [string | null, TranscriptEvent] => [reading.agentId ?? null, each]);
  });
}

/** The events of one kind, without those of subagents. */
export function mainEvents<Kind extends TranscriptEvent["kind"]>(
  lines: readonly string[],
  kind: Kind,
  read = liveRows(),
): Extract<TranscriptEvent, { kind: Kind }>[] {
  return eventsIn(lines, read).flatMap(([agentId, found]) =>
    agentId === null && isOf(found, kind) ? [found] : [],
  );
}

function isOf<Kind extends TranscriptEvent["kind"]>(
  event: TranscriptEvent,
  kind: Kind,
): event is Extract<TranscriptEvent, { kind: Kind }> {
  return event.kind === kind;
}

/** Sum of all tokens, each response once. */
export function tokensIn(lines: readonly string[], read = liveRows()): number {
  const responses = new Map(
    eventsIn(lines, read).flatMap(([, found]) =>
      found.kind === "response" && !found.isCopy ? [[found.response.messageId, found.response]] : [],
    ),
  );
  return [...responses.values()].reduce((sum, { usage }) => sum + totalTokens(usage), 0);
}
