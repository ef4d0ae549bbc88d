import { cacheCreation } from "../../../src/engine/usage/token-counts.ts";
import type { Agent, PlayedTurn } from "../agent.ts";
import type { CodexAgent } from "../codex.ts";
import { codexModel } from "../codex.ts";
import type { CodexExchange } from "../stand-in/codex.ts";
import { sumUsage } from "./expected.ts";
import type { ReplyBlock } from "../stand-in/reply.ts";
import { agentOf, roleOf, sessionOf } from "../stand-in/role.ts";
import type { Exchange } from "../stand-in/stand-in.ts";

/** What the ledger must hold for one run. */
export interface ExpectedRun {
  readonly sessionId: string;
  /** The subagent's type, or `main`. */
  readonly agent: string;
  /** Model of the last response; null when there is none. */
  readonly model: string | null;
  readonly processingTokens: number;
  readonly toolCalls: number;
  /** Null if the agent's files do not contain what a tool read. */
  readonly filesReread: number | null;
  readonly completed: boolean;
}

/** The one subagent type of all scenarios. */
export const subagentType = "general-purpose";

/** One run for each prompt the model answered, and one for each subagent. */
export function expectRuns({ turns, standIn }: Pick<Agent, "turns" | "standIn">): ExpectedRun[] {
  const { exchanges } = standIn;
  const ofPrompts = turns.flatMap(({ sessionId, from, to }: PlayedTurn) => {
    const main = exchanges.slice(from, to).filter(({ request }) => roleOf(request) === "main");
    return main.length === 0 ? [] : [runOf(sessionId, "main", main)];
  });
  const agentIds = new Set(exchanges.map(({ request }) => agentOf(request)).filter((id) => id !== null));
  const ofSubagents = [...agentIds].map((agentId) => {
    const own = exchanges.filter(({ request }) => agentOf(request) === agentId);
    const [first] = own;
    return runOf(first === undefined ? "" : sessionOf(first.request), subagentType, own);
  });
  return [...ofPrompts, ...ofSubagents];
}

/** The same for Codex, where a subagent is a session of its own and tools read no files. */
export function expectCodexRuns({ turns, standIn }: Pick<CodexAgent, "turns" | "standIn">): ExpectedRun[] {
  return turns.flatMap(({ sessionId, from, to }) => {
    const played = standIn.exchanges.slice(from, to);
    const threads = [...new Set(played.map(({ threadId }) => threadId))];
    return threads.map((threadId) => {
      const agent = threadId === sessionId ? "main" : unnamedRole;
      return codexRunOf(
        threadId,
        agent,
        played.filter((exchange) => exchange.threadId === threadId),
      );
    });
  });
}

/** The role of a subagent that was given none. */
export const unnamedRole = "subagent";

function codexRunOf(sessionId: string, agent: string, exchanges: readonly CodexExchange[]): ExpectedRun {
  const answers = exchanges.flatMap(({ reply }) => (reply.kind === "response" ? [reply] : []));
  const last = exchanges.at(-1)?.reply;
  return {
    sessionId,
    agent,
    filesReread: 0,
    model: answers.length === 0 ? null : codexModel,
    processingTokens: answers.reduce(
      (sum, { tokens: { input, cached, output } }) => sum + input - cached + output,
      0,
    ),
    toolCalls: answers.filter(({ item }) => item.type === "call").length,
    completed: last?.kind === "response" && last.item.type === "message",
  };
}

function runOf(sessionId: string, agent: string, exchanges: readonly Exchange[]): ExpectedRun {
  const answers = exchanges.flatMap(({ reply, request }) =>
    reply.kind === "message" ? [{ ...reply, model: request.model }] : [],
  );
  const calls = answers.flatMap(({ blocks }) => blocks.filter((block) => block.type === "tool_use"));
  const last = exchanges.at(-1)?.reply;
  const used = sumUsage(answers.map(({ usage }) => usage));
  return {
    sessionId,
    agent,
    model: answers.at(-1)?.model ?? null,
    processingTokens: used.input + used.output + cacheCreation(used),
    toolCalls: calls.length,
    filesReread: rereadFiles(calls),
    completed: last?.kind === "message" && !last.blocks.some((block) => block.type === "tool_use"),
  };
}

function rereadFiles(calls: readonly ReplyBlock[]): number {
  const reads = new Map<unknown, number>();
  for (const call of calls) {
    if (call.type !== "tool_use" || call.name !== "Read") continue;
    const file = call.input["file_path"];
    reads.set(file, (reads.get(file) ?? 0) + 1);
  }
  return [...reads.values()].filter((count) => count > 1).length;
}
