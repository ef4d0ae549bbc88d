import { readChunks, type AgentSession } from "../../../../src/engine/transcripts/agent-session.ts";
import { EventLines, type CopilotRecord } from "../../../../src/engine/transcripts/copilot/read-events.ts";

export const start = Date.parse("2026-11-02T09:00:00.000Z");

/** The usage of one or more responses, in Copilot's format. */
export function vector(input: number, cacheRead: number, output: number, cacheWrite = 0) {
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    reasoningTokens: 0,
  };
}

export type Vector = ReturnType<typeof vector>;

export function event(second: number, type: string, data: object): string {
  const timestamp = new Date(start + second * 1000).toISOString();
  return JSON.stringify({ type, data, id: `e${second}`, timestamp, parentId: null });
}

export const began = event(0, "session.start", {
  sessionId: "s1",
  copilotVersion: "1.0.102",
  selectedModel: "gpt-5.4",
  context: { cwd: "/home/dev/harbor", branch: "main" },
});

/** The totals a process writes when it ends, by model. */
export function ended(second: number, models: Readonly<Record<string, Vector>>, count = 1): string {
  const metrics = Object.entries(models).map(([model, usage]): [string, object] => [
    model,
    { requests: { count, cost: 0 }, usage },
  ]);
  return event(second, "session.shutdown", {
    shutdownType: "routine",
    modelMetrics: Object.fromEntries(metrics),
  });
}

export function used(second: number, sequence: number, usage: Vector, sourceSessionId = "s1"): string {
  const accounting = { sourceSessionId, sequence, usageId: `call-${sequence}` };
  return event(second, "session.usage_record", {
    usage: { model: "gpt-5.4", ...usage, maxPromptTokens: 922_000, accounting },
  });
}

/** A compaction's end, with the usage of its own requests. */
export function compacted(second: number, usage: Vector, data: object = {}): string {
  const compactionTokensUsed = { requestCount: 1, model: "gpt-5.4", ...usage };
  return event(second, "session.compaction_complete", {
    compactionAttemptId: `attempt-${second}`,
    success: true,
    trigger: "threshold",
    preCompactionTokens: 11_820,
    postCompactionTokens: 11_775,
    compactionTokensUsed,
    ...data,
  });
}

/** The same row, written by a subagent. */
export function by(agentId: string, row: string): string {
  const parsed: unknown = JSON.parse(row);
  return JSON.stringify(typeof parsed === "object" ? { ...parsed, agentId } : parsed);
}

export const said = (second: number, outputTokens: number) =>
  event(second, "assistant.message", { messageId: `m${second}`, outputTokens });

export function readEventLines(lines: readonly string[]): AgentSession<CopilotRecord> {
  return readChunks(new EventLines("s1"), [Buffer.from(lines.map((line) => `${line}\n`).join(""))]);
}

/** Records as text: model, uncached input, cache reads, output. */
export function tokensOf(records: readonly CopilotRecord[]): string[] {
  return records.map(
    ({ model, usage: { input, cacheRead, output } }) => `${model} ${input} ${cacheRead} ${output}`,
  );
}
