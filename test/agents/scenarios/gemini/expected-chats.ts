import type { GeminiAgent } from "../../gemini.ts";
import { geminiModel } from "../../gemini.ts";
import type { GeminiExchange } from "../../stand-in/gemini.ts";
import type { ExpectedRun } from "../expected-runs.ts";
import { unnamedRole } from "../expected-runs.ts";

const shellTool = "run_shell_command";

interface ExpectedResponse {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
}

/** What a reader must find in a session's files, derived from what the stand-in sent. */
export interface ExpectedChat {
  readonly id: string;
  readonly responses: readonly ExpectedResponse[];
  readonly subagents: readonly ExpectedResponse[];
  /** The compressor's own calls, of which the agent writes nothing. */
  readonly unwritten: readonly ExpectedResponse[];
}

export function expectChats({ turns, standIn }: Pick<GeminiAgent, "turns" | "standIn">): ExpectedChat[] {
  const ids = [...new Set(turns.map(({ sessionId }) => sessionId))];
  return ids.map((id) => {
    const own = turns
      .filter(({ sessionId }) => sessionId === id)
      .flatMap(({ from, to }) => standIn.exchanges.slice(from, to));
    const of = (role: GeminiExchange["role"]) => responsesOf(own.filter((each) => each.role === role));
    return { id, responses: of("main"), subagents: of("subagent"), unwritten: of("compressor") };
  });
}

export function responsesOf(exchanges: readonly GeminiExchange[]): ExpectedResponse[] {
  return exchanges.flatMap(({ reply }) => {
    if (reply.kind === "failure") return [];
    const { prompt, cached, output, thoughts } = reply.tokens;
    return [{ input: prompt - cached, output: output + thoughts, cacheRead: cached }];
  });
}

/** One run for each prompt the model answered, and one for each subagent. */
export function expectChatRuns(
  { turns, standIn }: Pick<GeminiAgent, "turns" | "standIn">,
  subagentIds: readonly string[],
): ExpectedRun[] {
  return turns.flatMap(({ sessionId, from, to }) => {
    const played = standIn.exchanges.slice(from, to);
    const of = (role: GeminiExchange["role"]) => played.filter((each) => each.role === role);
    const subagent = of("subagent");
    const answered = of("main").filter(({ reply }) => reply.kind !== "failure");
    const runs = answered.length === 0 ? [] : [runOf(sessionId, "main", answered)];
    return subagent.length === 0 ? runs : [...runs, runOf(subagentIds[0] ?? "", unnamedRole, subagent)];
  });
}

function runOf(sessionId: string, agent: string, exchanges: readonly GeminiExchange[]): ExpectedRun {
  const used = responsesOf(exchanges);
  const made = exchanges.filter(({ reply }) => reply.kind === "call");
  const last = exchanges.at(-1)?.reply;
  return {
    sessionId,
    agent,
    model: used.length === 0 ? null : geminiModel,
    processingTokens: used.reduce((sum, { input, output }) => sum + input + output, 0),
    toolCalls: made.length,
    // A command's files are unknown.
    filesReread: made.some(({ reply }) => reply.kind === "call" && reply.name === shellTool) ? null : 0,
    completed: last?.kind === "text" || (last?.kind === "call" && last.name === "complete_task"),
  };
}
