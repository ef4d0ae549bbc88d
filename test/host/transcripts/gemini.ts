import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Transcript } from "../transcript.ts";
import type { Place } from "./place.ts";

/** The window of every Gemini model, which no file names. Tokens. */
export const geminiWindow = 1_048_576;

/** Creates a Gemini CLI session in the user's home; nothing is written before its first turn. */
export function makeChat({ home, workspace }: Place, number: number): Transcript {
  const id = `9e313131-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const project = join(home, ".gemini/tmp", basename(workspace));
  const file = join(project, "chats", `session-2026-11-23T09-00-${String(number).padStart(8, "0")}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(project, ".project_root"), workspace);
  let turns = 0;
  const append = (row: object) => appendFileSync(file, `${JSON.stringify(row)}\n`);
  return {
    id,
    file,
    turn(contextTokens) {
      const timestamp = new Date().toISOString();
      if (turns === 0) {
        append({
          sessionId: id,
          projectHash: "0",
          startTime: timestamp,
          lastUpdated: timestamp,
          kind: "main",
        });
        append({ id: `p-${number}`, timestamp, type: "user", content: "Find the berth." });
      }
      turns += 1;
      const tokens = {
        input: contextTokens,
        output: 300,
        cached: contextTokens - 1500,
        thoughts: 0,
        tool: 0,
      };
      append({
        id: `m-${number}-${turns}`,
        timestamp,
        type: "gemini",
        model: "gemini-2.5-pro",
        content: "The next berth is free.",
        tokens: { ...tokens, total: contextTokens + 300 },
      });
    },
  };
}
