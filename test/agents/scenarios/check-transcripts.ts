import assert from "node:assert/strict";
import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { noUsage } from "../../../src/engine/usage/token-counts.ts";
import { sumUsage } from "./expected.ts";
import type { Sum } from "./expected.ts";
import type { RawRow, RawTranscript } from "./raw-transcripts.ts";
import { roleOf, sessionOf } from "../stand-in/role.ts";
import type { Exchange } from "../stand-in/stand-in.ts";

/** Asserts that the transcripts hold exactly the main and subagent responses, with final figures on every copy. */
export function checkResponses(exchanges: readonly Exchange[], transcripts: readonly RawTranscript[]): void {
  const sent = new Map<string, TokenUsage>();
  for (const { messageId, reply, request } of exchanges) {
    if (messageId === null || reply.kind === "error") continue;
    if (["main", "subagent"].includes(roleOf(request))) sent.set(messageId, reply.usage);
  }
  assert.deepEqual(sorted(responsesIn(transcripts)), sorted(sent));
}

/** The real responses in the transcripts by `message.id`; asserts that all copies of one agree. */
export function responsesIn(transcripts: readonly RawTranscript[]): Map<string, TokenUsage> {
  const seen = new Map<string, TokenUsage>();
  for (const row of transcripts.flatMap(({ rows }) => rows)) {
    if (row.type !== "assistant" || row.message?.model === "<synthetic>") continue;
    const id = row.message?.id ?? "";
    const usage = usageOfRow(row);
    assert.deepEqual(seen.get(id) ?? usage, usage, `copies of ${id} agree`);
    seen.set(id, usage);
  }
  return seen;
}

/** Asserts that a session's last `cost-state` covers all it was sent, including summaries and forked-off history. */
export function checkCostState(exchanges: readonly Exchange[], transcripts: readonly RawTranscript[]): void {
  for (const { rows, isSubagent, path } of transcripts) {
    const states = rows.filter((row) => row.type === "cost-state");
    assert.equal(states.length > 0, !isSubagent, `cost-state in ${path}`);
    const total = states.at(-1)?.modelUsage;
    if (total === undefined) continue;
    const id = rows.find((row) => row.sessionId !== undefined)?.sessionId;
    const parent = rows.find((row) => row.requestSessionId !== undefined)?.requestSessionId;
    const sent = exchanges.filter(({ request }) => [id, parent].includes(sessionOf(request)));
    const usages = sent.flatMap(({ reply }) => (reply.kind === "message" ? [reply.usage] : []));
    const { input, output, cacheRead, cacheCreation5m, cacheCreation1h }: Sum = sumUsage(usages);
    const said = Object.values(total).reduce(
      (sum, of) => ({
        input: sum.input + of.inputTokens,
        output: sum.output + of.outputTokens,
        cacheRead: sum.cacheRead + of.cacheReadInputTokens,
        cacheCreation: sum.cacheCreation + of.cacheCreationInputTokens,
      }),
      { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 },
    );
    assert.deepEqual(said, { input, output, cacheRead, cacheCreation: cacheCreation5m + cacheCreation1h });
  }
}

/** Evidence of a `[1m]` session in the transcript; the older generation records none. */
export function oneMillionProofs(transcripts: readonly RawTranscript[]): string[] {
  const rows = transcripts.flatMap((transcript) => transcript.rows);
  const proofs: [string, (row: RawRow) => boolean][] = [
    ["requestedModel", (row) => row.requestedModel?.endsWith("[1m]") ?? false],
    ["beta", (row) => row.params?.betas.some((beta) => beta.startsWith("context-1m")) ?? false],
    ["cost-state", (row) => Object.keys(row.modelUsage ?? {}).some((model) => model.endsWith("[1m]"))],
  ];
  return proofs.flatMap(([name, says]) => (rows.some(says) ? [name] : []));
}

function usageOfRow(row: RawRow): TokenUsage {
  const usage = row.message?.usage;
  if (usage === undefined) return noUsage;
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheCreation5m: usage.cache_creation.ephemeral_5m_input_tokens,
    cacheCreation1h: usage.cache_creation.ephemeral_1h_input_tokens,
    cacheRead: usage.cache_read_input_tokens,
  };
}

function sorted(map: ReadonlyMap<string, TokenUsage>): [string, TokenUsage][] {
  return [...map].sort(([a], [b]) => a.localeCompare(b));
}
