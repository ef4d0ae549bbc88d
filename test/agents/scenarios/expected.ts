import { addUsage, noUsage, occupancy } from "../../../src/engine/usage/token-counts.ts";
import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import type { RawTranscript } from "./raw-transcripts.ts";
import { agentOf, roleOf, sessionOf } from "../stand-in/role.ts";
import type { Exchange } from "../stand-in/stand-in.ts";

/** Tokens of some responses, each counted once. */
export interface Sum extends TokenUsage {
  readonly responses: number;
}

interface ExpectedSubagent {
  readonly agentId: string;
  readonly model: string;
  readonly sum: Sum;
  readonly contextTokens: number;
}

export interface ExpectedSession {
  readonly id: string;
  /** Usage of this session's own main-chain responses; copied history counts for the original session. */
  readonly sum: Sum;
  /** Occupancy of the last main response, or the last compaction's `postTokens` when no response followed. */
  readonly contextTokens: number;
  readonly compactions: readonly { trigger: string; preTokens: number; postTokens: number }[];
  readonly subagents: readonly ExpectedSubagent[];
}

/** What a reader must find in the transcripts, derived from what the stand-in sent. */
export interface Expected {
  /** All responses in the transcripts, including subagents', by the API's model id. */
  readonly byModel: Readonly<Record<string, Sum>>;
  /**
   * Usage of the compactions' own requests: missing from every transcript, included only in the agent's running
   * total.
   */
  readonly unwritten: Sum;
  readonly sessions: readonly ExpectedSession[];
}

export function expect(exchanges: readonly Exchange[], transcripts: readonly RawTranscript[]): Expected {
  const written = exchanges.filter((exchange) => ["main", "subagent"].includes(roleOf(exchange.request)));
  const models = [...new Set(written.filter(isAnswered).map((exchange) => exchange.request.model))];
  const ids = [...new Set(exchanges.map((exchange) => sessionOf(exchange.request)))];
  return {
    byModel: Object.fromEntries(
      models.map((model) => [model, sumOf(written.filter((exchange) => exchange.request.model === model))]),
    ),
    unwritten: sumOf(exchanges.filter((exchange) => !written.includes(exchange))),
    sessions: ids.map((id) => expectSession(id, exchanges, transcripts)),
  };
}

function expectSession(
  id: string,
  exchanges: readonly Exchange[],
  transcripts: readonly RawTranscript[],
): ExpectedSession {
  const own = exchanges.filter((exchange) => sessionOf(exchange.request) === id && isAnswered(exchange));
  const main = own.filter((exchange) => roleOf(exchange.request) === "main");
  const agentIds = [...new Set(own.map((exchange) => agentOf(exchange.request)))].filter((id) => id !== null);
  const compactions = transcripts
    .filter((transcript) => !transcript.isSubagent)
    .flatMap((transcript) => transcript.rows)
    .filter((row) => row.sessionId === id)
    .flatMap(({ compactMetadata: found }) =>
      found === undefined
        ? []
        : [{ trigger: found.trigger, preTokens: found.preTokens, postTokens: found.postTokens }],
    );
  const last = own.filter((exchange) => roleOf(exchange.request) !== "subagent").at(-1);
  const isCompacted = last !== undefined && roleOf(last.request) === "summary";
  return {
    id,
    sum: sumOf(main),
    contextTokens: isCompacted ? (compactions.at(-1)?.postTokens ?? 0) : contextOf(main),
    compactions,
    subagents: agentIds.map((agentId) => {
      const of = own.filter((exchange) => agentOf(exchange.request) === agentId);
      return { agentId, model: of[0]?.request.model ?? "", sum: sumOf(of), contextTokens: contextOf(of) };
    }),
  };
}

/** Sums usage of any kind of response and counts the responses. */
export function sumUsage(usages: readonly TokenUsage[]): Sum {
  return { responses: usages.length, ...usages.reduce(addUsage, noUsage) };
}

function sumOf(exchanges: readonly Exchange[]): Sum {
  return sumUsage(exchanges.flatMap(({ reply }) => (reply.kind === "message" ? [reply.usage] : [])));
}

function contextOf(exchanges: readonly Exchange[]): number {
  const reply = exchanges.at(-1)?.reply;
  return reply?.kind === "message" ? occupancy(reply.usage) : 0;
}

function isAnswered(exchange: Exchange): boolean {
  return exchange.reply.kind === "message";
}
