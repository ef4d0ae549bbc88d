import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Transcript } from "../transcript.ts";
import type { Place } from "./place.ts";

/**
 * Creates a Copilot CLI session in the user's home; nothing is written before its first turn.
 * @param window null for a version that does not name it
 */
export function makeEvents(
  { home, workspace }: Place,
  number: number,
  window: number | null = 200_000,
): Transcript {
  const id = `c0b11070-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const file = join(home, ".copilot/session-state", id, "events.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  let turns = 0;
  let rows = 0;
  const append = (type: string, data: object) => {
    rows += 1;
    const row = { type, id: `${id}-${rows}`, timestamp: new Date().toISOString(), data };
    appendFileSync(file, `${JSON.stringify(row)}\n`);
  };
  return {
    id,
    file,
    turn(contextTokens) {
      const context = { cwd: workspace, branch: "main" };
      if (turns === 0) append("session.start", { sessionId: id, copilotVersion: "1.0.102", context });
      turns += 1;
      append("session.usage_record", {
        usage: {
          model: "claude-sonnet-4-5",
          inputTokens: contextTokens,
          outputTokens: 300,
          cacheReadTokens: contextTokens - 1500,
          cacheWriteTokens: 1400,
          ...(window === null ? {} : { maxPromptTokens: window }),
          apiCallId: `msg_${number}_${turns}`,
          initiator: "agent",
          accounting: { sourceSessionId: id, sequence: turns, usageId: `msg_${number}_${turns}` },
        },
      });
    },
  };
}
