import { readChunks, type AgentSession } from "../../../../src/engine/transcripts/agent-session.ts";
import { RolloutLines, type CodexRecord } from "../../../../src/engine/transcripts/codex/read-rollout.ts";

/** The usage of one or more responses, in Codex's format. */
export function vector(input: number, cached: number, output: number, written = 0, reasoning = 0) {
  return {
    input_tokens: input,
    cached_input_tokens: cached,
    cache_write_input_tokens: written,
    output_tokens: output,
    reasoning_output_tokens: reasoning,
    total_tokens: input + output,
  };
}

export type Vector = ReturnType<typeof vector>;

export const start = Date.parse("2026-11-02T09:00:00.000Z");

/** A version 7 id for a moment, in seconds after the start. */
export function idAt(second: number): string {
  const time = (start + second * 1000).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000001`;
}

export function row(second: number, type: string, payload: object, ordinal?: number): string {
  const timestamp = new Date(start + second * 1000).toISOString();
  return JSON.stringify({ timestamp, ...(ordinal === undefined ? {} : { ordinal }), type, payload });
}

export const meta = (second: number, fields: object) =>
  row(second, "session_meta", {
    cwd: "/home/dev/harbor",
    originator: "codex_cli_rs",
    cli_version: "0.169.0",
    ...fields,
  });

export const turn = (second: number, id: string, model = "gpt-5.5", more: object = {}) =>
  row(second, "turn_context", { turn_id: id, cwd: "/home/dev/harbor", model, ...more });

/** Settings of the thread from then on. An undefined tier is not written. */
export const settings = (second: number, tier?: unknown) =>
  row(second, "event_msg", {
    type: "thread_settings_applied",
    thread_settings: { model: "gpt-5.5", ...(tier === undefined ? {} : { service_tier: tier }) },
  });

export const count = (second: number, total: Vector, last: Vector | null = null, more: object = {}) =>
  row(second, "event_msg", {
    type: "token_count",
    info: { total_token_usage: total, last_token_usage: last, model_context_window: 258_400 },
    ...more,
  });

export const response = (second: number, threadId: string, responseId: string, usage: Vector) =>
  row(second, "token_usage_record", { thread_id: threadId, response_id: responseId, usage });

export function readLines(lines: readonly string[], fileId = ""): AgentSession<CodexRecord> {
  return readChunks(new RolloutLines(fileId), [Buffer.from(lines.map((line) => `${line}\n`).join(""))]);
}

/** Tokens as text: uncached input, cache reads, output. */
export function tokensOf(records: readonly CodexRecord[]): string[] {
  return records.map(({ usage: { input, cacheRead, output } }) => `${input} ${cacheRead} ${output}`);
}
