import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Transcript } from "../transcript.ts";
import type { Place } from "./place.ts";

/** Creates a Codex session in the user's home; nothing is written before its first turn. */
export function makeRollout({ home, workspace }: Place, number: number, window = 200_000): Transcript {
  const id = `01a19b7c-0000-7000-8000-${String(number).padStart(12, "0")}`;
  const file = join(home, ".codex/sessions/2026/11/23", `rollout-2026-11-23T09-00-00-${id}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  let turns = 0;
  let ordinal = 0;
  const append = (type: string, payload: object) => {
    const row = { timestamp: new Date().toISOString(), ordinal, type, payload };
    ordinal += 1;
    appendFileSync(file, `${JSON.stringify(row)}\n`);
  };
  return {
    id,
    file,
    turn(contextTokens) {
      const turn = `01a19b7d-0000-7000-8000-${String(number).padStart(12, "0")}`;
      if (turns === 0) {
        append("session_meta", { id, session_id: id, cwd: workspace, cli_version: "0.171.0", source: "cli" });
        append("event_msg", { type: "task_started", turn_id: turn, model_context_window: window });
        append("turn_context", { turn_id: turn, cwd: workspace, model: "gpt-5.1-codex" });
      }
      turns += 1;
      const usage = {
        input_tokens: contextTokens,
        cached_input_tokens: contextTokens - 1500,
        cache_write_input_tokens: 0,
        output_tokens: 300,
        reasoning_output_tokens: 0,
        total_tokens: contextTokens + 300,
      };
      const response = `resp_${number}_${turns}`;
      append("token_usage_record", { thread_id: id, turn_id: turn, response_id: response, usage });
    },
  };
}
