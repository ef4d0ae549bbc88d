import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectFolder } from "./scratch.ts";
import type { Scratch } from "./scratch.ts";

/** A transcript that a test writes: one session of the scratch workspace. */
export interface Transcript {
  readonly id: string;
  readonly file: string;
  /** Appends one model answer, sent with a context of that many tokens. */
  turn(contextTokens: number): void;
}

export interface TranscriptOptions {
  /** The session's working folder; defaults to the scratch workspace. */
  readonly cwd?: string;
  readonly model?: string;
}

/** Creates a session; nothing is written before its first turn. */
export function makeTranscript(
  scratch: Pick<Scratch, "claude" | "workspace">,
  number = 1,
  { cwd = scratch.workspace, model = "claude-sonnet-4-6" }: TranscriptOptions = {},
): Transcript {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const file = join(projectFolder(scratch.claude, cwd), `${id}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  let turns = 0;
  const about = {
    userType: "external",
    cwd,
    sessionId: id,
    version: "2.1.332",
    gitBranch: "main",
  };
  return {
    id,
    file,
    turn(contextTokens) {
      turns += 1;
      const input = 12;
      const written = 1_500;
      const row = {
        parentUuid: null,
        isSidechain: false,
        type: "assistant",
        requestId: `req_${number}_${turns}`,
        uuid: `10000000-0000-4000-8000-${String(number * 100_000 + turns).padStart(12, "0")}`,
        timestamp: new Date().toISOString(),
        ...about,
        message: {
          id: `msg_${number}_${turns}`,
          type: "message",
          role: "assistant",
          model,
          content: [{ type: "text", text: "The next berth is free." }],
          stop_reason: "end_turn",
          usage: {
            input_tokens: input,
            cache_creation_input_tokens: written,
            cache_read_input_tokens: contextTokens - input - written,
            output_tokens: 300,
            cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
          },
        },
      };
      appendFileSync(file, `${JSON.stringify(row)}\n`);
    },
  };
}
